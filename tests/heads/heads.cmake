# cmake -DSHADERS=... -DFOLDER=... -DGENERATOR=... -P heads.cmake
# Each mistake in the head of a further kernel, and what is said of it.
set(mistakes
    "// Nothing.\n" "broken.glsl:1: the head names no pass"
    "// pass broken: y <- x\n// outs: y\n" "broken.glsl:2: 'outs:' is not known"
    "// pass broken: y <- x\n// out: y\n// in: x!\n" "broken.glsl:3: 'x!'"
    "// pass broken: y <- x\n// out: y if with d\n" "broken.glsl:2: 'if with d'"
    "// pass broken: y <- x\n// out: y\n// is: fast\n" "broken.glsl:3: 'is: fast'"
    "// pass broken: y <- x\n// out: y\n// in: x\n// scalar: x\n" "broken.glsl:1: pass broken has two arguments 'x'"
    "// pass broken (Aa): y <- x\n" "broken.glsl:1: '// pass broken (Aa): y <- x' is no 'pass NAME: formula'"
    "// pass broken: y <- x,\n//   z <- x\n// out: y\n" "broken.glsl:2: '//   z <- x' stands where variants do"
    "// pass broken: y <- x\n//     BIG: y <- 2 x\n// out: y\n// in: x, z if SMALL\n" "broken.glsl:1: 'if SMALL' in 'in:'"
    "// pass broken: y <- x\n//     SIZE: y <- size\n// out: y\n// in: x\n// integer: size\n" "broken.glsl:1: pass broken has an argument 'size' and a variant SIZE"
    "// pass broken: y <- x\n// over: inputs\n" "broken.glsl:2: 'over:' takes input, window or ranges"
    "// product broken: multiply\n// constant: weight\n" "broken.glsl:2: 'constant:' is nothing that a product says"
    "// product broken: multiply divide\n" "broken.glsl:1: 'divide' is no ending of ending.glsl"
    "// pass broken: y <- x\n// compiled: N\n#if N > 1\n" "broken.glsl:3: '#if N > 1': '#if' cannot ask for the value of N"
    "// pass broken: y <- x\n// faster: WIDTH\n#ifdef WIDHT\n#endif\n" "broken.glsl:3: '#ifdef WIDHT': no head names WIDHT"
    "// pass broken: y <- x\n// compiled: IS_BIG:flag\n#ifdef IS_BIG\n#endif\n" "broken.glsl:3: '#ifdef IS_BIG': no head names IS_BIG in 'compiled:' or 'faster:', or it is a flag"
    "// pass broken: y <- x\nvoid f(out vec4 a) {}\n" "broken.glsl:2: '(out v': this cannot be translated to C++"
    "// pass broken: y <- x\nvoid f(inout vec4 a) { a.xy = vec2(1.0)%semicolon% }\n" "broken.glsl:2: '.xy = ': this cannot be translated to C++"
    "// pass broken: y <- x\n// compiled: A:switch, B:switch if A\n" "broken.glsl:1: 'B:switch|A': a switch cannot hang on another one")

file(REMOVE_RECURSE ${FOLDER}/shaders ${FOLDER}/made)
file(COPY ${SHADERS}/ DESTINATION ${FOLDER}/shaders)
file(MAKE_DIRECTORY ${FOLDER}/made/kernels ${FOLDER}/made/text/pass)
file(GLOB files RELATIVE ${FOLDER}/shaders ${FOLDER}/shaders/*.glsl)
file(WRITE ${FOLDER}/shaders.list "${files};pass/broken.glsl")
list(LENGTH mistakes count)
math(EXPR last "${count} / 2 - 1")
foreach(k RANGE ${last})
    math(EXPR at "2 * ${k}")
    list(GET mistakes ${at} text)
    string(REPLACE "%semicolon%" ";" text "${text}")
    math(EXPR at "${at} + 1")
    list(GET mistakes ${at} expected)
    file(WRITE ${FOLDER}/shaders/pass/broken.glsl "${text}void kernel(ivec2 at) {}\n")
    execute_process(COMMAND ${GENERATOR} passes ${FOLDER}/shaders ${FOLDER}/shaders.list ${FOLDER}/made
        RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_QUIET)
    string(FIND "${said}" "${FOLDER}/shaders/pass/${expected}" found)
    if(NOT failed EQUAL 1 OR NOT found EQUAL 0)
        message(SEND_ERROR "expected: ${expected}\nsaid: ${said}")
    endif()
endforeach()
