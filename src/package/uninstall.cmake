# Removes what the last `cmake --install` of BUILD placed, then the folders that installations of BUILD had made, where
# nothing else lies in them. DESTDIR as it was then.
set(manifest ${BUILD}/install_manifest.txt)
set(record ${BUILD}/installed_folders.txt)

if(NOT EXISTS ${manifest})
    message(FATAL_ERROR "nothing to remove: there is no ${manifest}, which an installation writes")
endif()

set(removed 0)
set(remaining "")
file(STRINGS ${manifest} files ENCODING UTF-8)
foreach(file IN LISTS files)
    set(file "$ENV{DESTDIR}${file}")
    if(EXISTS "${file}" OR IS_SYMLINK "${file}")  # a link may have lost its target just now
        file(REMOVE "${file}")
        if(EXISTS "${file}" OR IS_SYMLINK "${file}")
            list(APPEND remaining "${file}")
        else()
            message(STATUS "Removed ${file}")
            math(EXPR removed "${removed} + 1")
        endif()
    endif()
endforeach()
if(remaining)
    list(JOIN remaining "\n  " remaining)
    message(FATAL_ERROR "not removed, perhaps for want of permission:\n  ${remaining}")
endif()
if(removed EQUAL 0)
    list(GET files 0 file)
    message(FATAL_ERROR "nothing to remove: none of the files in ${manifest} exists, the first being $ENV{DESTDIR}${file}. "
        "Was DESTDIR another one, or relative, when they were installed?")
endif()

set(folders "")
if(EXISTS ${record})
    file(STRINGS ${record} folders ENCODING UTF-8)
endif()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)  # the inner ones first
file(REMOVE ${manifest} ${record})
foreach(folder IN LISTS folders)
    execute_process(COMMAND rmdir ${folder} ERROR_QUIET)  # refuses where something is left
    if(IS_DIRECTORY "${folder}")
        file(APPEND ${record} "${folder}\n")
    else()
        message(STATUS "Removed ${folder}")
    endif()
endforeach()
