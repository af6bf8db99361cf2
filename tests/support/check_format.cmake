# Is every source file as clang-format 16 would write it?
if(NOT CLANG_FORMAT)
    message("SKIPPED: clang-format-16 is not installed")
    return()
endif()
file(GLOB_RECURSE files ${FOLDER}/src/*.[ch]pp ${FOLDER}/include/*.hpp ${FOLDER}/tests/*.[ch]pp ${FOLDER}/bench/*.cpp
    ${FOLDER}/demos/*.[ch]pp ${FOLDER}/shaders/generator/*.[ch]pp)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} RESULT_VARIABLE result ERROR_VARIABLE complaints)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "not formatted; run clang-format-16 -i on these:\n${complaints}")
endif()
