# The target glsolve_generator, which runs while glsolve is built, and glsolve_embed, which calls it.
set(GLSOLVE_GENERATOR "" CACHE FILEPATH "A glsolve_generator that was built before, for the machine that builds")
mark_as_advanced(GLSOLVE_GENERATOR)
set(generator ${GLSOLVE_GENERATOR})
if(NOT generator AND CMAKE_CROSSCOMPILING)
    # By this machine's own compiler, whatever the environment says of the other one's.
    include(ExternalProject)
    set(generator ${CMAKE_CURRENT_BINARY_DIR}/generator/glsolve_generator)
    if(CMAKE_HOST_WIN32)
        string(APPEND generator .exe)
    endif()
    set(in_own_environment ${CMAKE_COMMAND} -E env --unset=CXX --unset=CXXFLAGS --unset=CPPFLAGS --unset=LDFLAGS)
    ExternalProject_Add(glsolve_native_generator
        SOURCE_DIR ${PROJECT_SOURCE_DIR}/shaders/generator
        BINARY_DIR ${CMAKE_CURRENT_BINARY_DIR}/generator
        PREFIX ${CMAKE_CURRENT_BINARY_DIR}/generator/steps
        CONFIGURE_COMMAND ${in_own_environment} ${CMAKE_COMMAND} -G "${CMAKE_GENERATOR}" -S <SOURCE_DIR> -B <BINARY_DIR>
            -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}
        BUILD_COMMAND ${in_own_environment} ${CMAKE_COMMAND} --build <BINARY_DIR>
        BUILD_ALWAYS ON BUILD_BYPRODUCTS ${generator} INSTALL_COMMAND "")
endif()
if(generator)
    add_executable(glsolve_generator IMPORTED GLOBAL)
    set_target_properties(glsolve_generator PROPERTIES IMPORTED_LOCATION ${generator})
    if(TARGET glsolve_native_generator)
        add_dependencies(glsolve_generator glsolve_native_generator)
    endif()
else()
    add_subdirectory(${PROJECT_SOURCE_DIR}/shaders/generator generator)
endif()

# Makes the source OUTPUT, in which files of FOLDER (the further arguments) travel: SPACE::FUNCTION(name), which HEADER
# declares, is the text of one.
function(glsolve_embed output folder header space function)
    file(GENERATE OUTPUT ${output}.list CONTENT "${ARGN}")
    list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE files)
    add_custom_command(OUTPUT ${output}
        COMMAND glsolve_generator embed ${folder} ${output}.list ${output} ${header} ${space} ${function}
        DEPENDS glsolve_generator ${output}.list ${files} VERBATIM)
endfunction()
