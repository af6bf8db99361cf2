# What a test installs from BUILD must not replace what `uninstall` knows of the developer's own installation.
# A test that failed between the two leaves them where the next one finds them.
set(notes install_manifest.txt installed_folders.txt)

function(keep_notes folder)
    file(MAKE_DIRECTORY ${folder})
    foreach(note IN LISTS notes)
        if(EXISTS ${BUILD}/${note} AND NOT EXISTS ${folder}/${note})
            file(RENAME ${BUILD}/${note} ${folder}/${note})
        endif()
    endforeach()
endfunction()

function(bring_notes_back folder)
    foreach(note IN LISTS notes)
        file(REMOVE ${BUILD}/${note})
        if(EXISTS ${folder}/${note})
            file(RENAME ${folder}/${note} ${BUILD}/${note})
        endif()
    endforeach()
endfunction()
