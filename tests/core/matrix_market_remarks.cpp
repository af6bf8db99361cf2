// Files found in the wild that are not as they should be: read where they can mean one thing only, with a remark.
#include <sstream>
#include <utility>

#include "core/matrix_market_support.hpp"

namespace tests_of_matrix_market_remarks {

using namespace glsolve;
using namespace matrix_market_test;

namespace {

/// What is told of a text that was understood.
std::vector<std::string> remarks_on(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> remarks;
    read_matrix_market(stream, "m.mtx", {}, [&](std::string_view remark) { remarks.emplace_back(remark); });
    return remarks;
}

void check_remark(const std::string& text, const std::string& remark) {
    const std::vector<std::string> remarks = remarks_on(text);
    REQUIRE(remarks.size() == 1);
    CHECK_THAT(remarks[0], StartsWith("m.mtx:") && ContainsSubstring(remark));
}

}  // namespace

TEST_CASE("Matrix Market: a header without a field is real, and that is remarked", "[matrix_market]") {
    const std::string header = "%%MatrixMarket matrix coordinate ";
    CHECK(parsed(header + "general\n2 2 2\n1 1 1.5\n2 2 -2\n") == std::vector<double>{1.5, 0, 0, -2});
    CHECK(parsed(header + "Symmetric\n2 2 1\n2 1 3\n") == std::vector<double>{0, 3, 3, 0});
    CHECK(parsed("%%MatrixMarket matrix array general\n1 2\n5\n6\n") == std::vector<double>{5, 6});
    CHECK(parsed("%%MatrixMarket vector array general\n2\n5\n6\n") == std::vector<double>{5, 6});
    check_remark(header + "general\n1 1 1\n1 1 1\n", "1: the header names no field; real was taken");
    CHECK(remarks_on(coordinate + "1 1 1\n1 1 1\n").empty());
    // What has no values, or two, is not real; and nothing says which symmetry is meant.
    check_refused(header + "general\n2 2 1\n1 1    \n", 3, "(line 1 names no field, and was taken for real)");
    check_refused(header + "general\n1 1 1\n1 1 1 0\n", 3, "(line 1 names no field, and was taken for real)");
    check_refused(header + "real\n1 1 1\n1 1 1\n", 1, "symmetry ''");
    check_refused(header + "general real\n1 1 1\n1 1 1\n", 1, "'real' is too much");
}

TEST_CASE("Matrix Market: an array with one size has the shape that its length tells", "[matrix_market]") {
    const auto shape = [](const std::string& text) {
        const CsrMatrix A = parse_matrix_market(text);
        return std::pair(A.rows, A.columns);
    };
    CHECK(shape(array + "3\n1\n2\n3\n") == std::pair(3, 1));
    CHECK(parsed(array + "3\n1\n2\n3\n") == std::vector<double>{1, 2, 3});
    CHECK(shape(array + "2\n1\n2\n3\n4\n") == std::pair(2, 2));
    CHECK(parsed(array + "2\n1\n2\n3\n4\n") == std::vector<double>{1, 3, 2, 4});
    CHECK(shape(array + "1\n7\n") == std::pair(1, 1));
    CHECK(shape(array + "0\n") == std::pair(0, 1));
    const std::string half = "%%MatrixMarket matrix array real symmetric\n2\n1\n2\n3\n";
    CHECK(parsed(half) == std::vector<double>{1, 2, 2, 3});
    check_remark(array + "3\n1\n2\n3\n", "2: the number of columns is missing; there are as many values as a vector");
    check_remark(array + "2\n1\n2\n3\n4\n", "2: the number of columns is missing; there are as many as a square");
    check_remark(half, "2: the number of columns is missing; a matrix with a symmetry is square");
    check_refused(array + "% c\n2\n1\n2\n3\n", 3, "3 values are neither a vector of 2 rows nor a square matrix");
    check_refused(array + "2\n1\n2\n3\n4\n5\n", 2, "5 values are neither");
    check_refused(array + "3\n1\n2   \n", 4, "after 2 of 3");
    check_refused(array + "3\n1\n", 2, "3 entries are declared");
    check_refused("%%MatrixMarket matrix array real symmetric\n2\n1\n2\n3\n4\n", 6, "more entries than the 3");
    // Of entries with places nothing tells how many there are to be.
    check_refused(coordinate + "2\n1 1 1\n", 2, "number of columns is ''");
    check_refused(symmetric + "2\n1 1 1\n", 2, "number of columns is ''");
}

TEST_CASE("Matrix Market: Fortran's exponents of three digits have no letter", "[matrix_market]") {
    const auto value = [](const std::string& word) { return parsed(array + "1 1\n" + word + "\n").at(0); };
    CHECK(value("1.0-100") == 1e-100);
    CHECK(value("-0.125+101") == -0.125e101);
    CHECK(value("+.5-300") == 5e-301);
    CHECK(value("12.-123") == 12e-123);
    check_remark(array + "1 3\n1\n1.0-100\n2.0-100\n", "4: '1.0-100' has no letter before its exponent");
    CHECK(remarks_on(array + "1 1\n1.0D+05\n").empty());  // which is usual
    for (const std::string word : {"1.0+03", "1.0-1000", "1-100", "1.0--100", ".-100", "1.0-1e1", "1.0e-1-100"}) {
        check_refused(array + "1 1\n" + word + "\n", 3, "value is '" + word + "'");
    }
    check_refused(array + "1 1\n1.0+400\n", 3, "'1.0+400' is not finite");
    check_refused("%%MatrixMarket matrix array integer general\n1 1\n1.5-100\n", 3, "in an integer file");
}

}  // namespace tests_of_matrix_market_remarks
