# cmake -DCOMPILER=... -DINCLUDE=... -P language.cmake
# An older language is refused in words, before anything else, whichever public header comes first.
file(GLOB headers ${INCLUDE}/glsolve/*.hpp)
list(FILTER headers EXCLUDE REGEX "/version.hpp$")  # which has no C++ in it
foreach(header IN LISTS headers)
    foreach(language 17 20)
        execute_process(COMMAND ${COMPILER} -std=c++${language} -fsyntax-only -Wundef -Werror=undef -I${INCLUDE}
                -x c++ -include ${header} /dev/null
            RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_QUIET)
        string(REGEX MATCH "error:[^\n]*" first "${said}")
        if(language EQUAL 17 AND NOT first MATCHES "glsolve needs C\\+\\+20: -std=c\\+\\+20")
            message(SEND_ERROR "${header}, C++17: ${said}")
        elseif(language EQUAL 20 AND failed)
            message(SEND_ERROR "${header}, C++20: ${said}")
        endif()
    endforeach()
endforeach()
