# cmake -DREADME=... -DTABLE=... -P write_table.cmake
# Puts the table of passes, made from the heads of the kernels, into its place at the end of README.
file(READ ${README} text)
file(READ ${TABLE} table)
string(FIND "${text}" "| pass | kernel | formula |" begin)
if(begin EQUAL -1)
    message(FATAL_ERROR "${README}: no line '| pass | kernel | formula |', behind which the table would stand")
endif()
string(SUBSTRING "${text}" 0 ${begin} text)
file(WRITE ${README} "${text}${table}")
