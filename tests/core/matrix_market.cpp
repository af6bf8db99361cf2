#include <sstream>

#include "core/matrix_market_support.hpp"

namespace tests_of_matrix_market {

using namespace glsolve;
using namespace matrix_market_test;

TEST_CASE("Matrix Market: coordinate files of every field", "[matrix_market]") {
    const std::vector<double> expected{1, 0, 0, -2};
    CHECK(parsed(coordinate + "2 2 2\n1 1 1\n2 2 -2\n") == expected);
    CHECK(parsed("%%MatrixMarket matrix coordinate double general\n2 2 2\n1 1 1.0\n2 2 -2e0\n") == expected);
    CHECK(parsed("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 1\n2 2 -2\n") == expected);
    CHECK(parsed("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n")
          == std::vector<double>{1, 0, 1, 0});
    CHECK(parsed(coordinate + "2 3 1\n2 3 4\n") == std::vector<double>{0, 0, 0, 0, 0, 4});
}

TEST_CASE("Matrix Market: symmetric coordinate files are mirrored from either side", "[matrix_market]") {
    const std::vector<double> expected{1, 2, 3, 2, 0, 0, 3, 0, 5};
    CHECK(parsed(symmetric + "3 3 4\n1 1 1\n2 1 2\n3 1 3\n3 3 5\n") == expected);
    CHECK(parsed(symmetric + "3 3 4\n1 1 1\n1 2 2\n1 3 3\n3 3 5\n") == expected);
    CHECK(parsed(symmetric + "3 3 4\n1 1 1\n1 2 2\n3 1 3\n3 3 5\n") == expected);
    CHECK(parsed("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")
          == std::vector<double>{0, 1, 1, 0});
    CHECK(parsed("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n2 1 4\n2 1 3\n")
          == std::vector<double>{0, 7, 7, 0});
}

TEST_CASE("Matrix Market: skew-symmetric coordinate files are mirrored with the other sign", "[matrix_market]") {
    CHECK(parsed(skew + "2 2 1\n2 1 3\n") == std::vector<double>{0, -3, 3, 0});
    CHECK(parsed(skew + "2 2 1\n1 2 3\n") == std::vector<double>{0, 3, -3, 0});
    CHECK(parsed(skew + "2 2 2\n1 1 0.0\n1 2 3\n") == std::vector<double>{0, 3, -3, 0});
}

TEST_CASE("Matrix Market: arrays go by columns", "[matrix_market]") {
    CHECK(parsed(array + "2 3\n1\n2\n3\n4\n5\n6\n") == std::vector<double>{1, 3, 5, 2, 4, 6});
    CHECK(parsed("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n")
          == std::vector<double>{1, 2, 3, 2, 4, 5, 3, 5, 6});
    CHECK(parsed("%%MatrixMarket matrix array double skew-symmetric\n3 3\n1\n2\n3\n")
          == std::vector<double>{0, -1, -2, 1, 0, -3, 2, 3, 0});
    CHECK(parse_matrix_market(array + "2 2\n1\n0\n0\n1\n").nonzeros() == 2);
}

TEST_CASE("Matrix Market: empty matrices", "[matrix_market]") {
    for (const std::string& header : {coordinate, symmetric, skew}) {
        const CsrMatrix A = parse_matrix_market(header + "0 0 0\n");
        CHECK(A.rows == 0);
        CHECK(A.nonzeros() == 0);
        CHECK_NOTHROW(check(A));
    }
    CHECK(parse_matrix_market(coordinate + "3 4 0").offsets == std::vector<Offset>{0, 0, 0, 0});
    CHECK(parse_matrix_market(array + "0 0\n").rows == 0);
    CHECK(parse_matrix_market(array + "3 0\n").rows == 3);
    CHECK(parse_matrix_market("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").columns == 1);
}

TEST_CASE("Matrix Market: comments, blank lines, CR LF, blanks and capitals", "[matrix_market]") {
    const std::vector<double> expected{1, 0, 0, 2};
    CHECK(parsed("%%matrixmarket MATRIX Coordinate REAL General\r\n% c\r\n\r\n2 2 2\r\n1 1 1\r\n2 2 2\r\n")
          == expected);
    CHECK(parsed(coordinate + "%\n  \n%%x\n2 2 2\n% between\n1 1 1\n\n \t\n  % indented\n2 2 2\n\n% end\n")
          == expected);
    CHECK(parsed(coordinate + " 2\t2  2 \n\t1 1   1 \n2 2 2") == expected);
    CHECK(parsed("%%MatrixMarket\tmatrix  array real general \n% c\n2 2\n\n1\n0\n% c\n0\n2\n\n") == expected);
}

TEST_CASE("Matrix Market: lines end in LF, CR LF or CR, alone and mixed", "[matrix_market]") {
    const std::string text = coordinate + "% a comment\n\n2 2 2\n1 1 4\n2 2 2\n";
    const std::vector<double> expected{4, 0, 0, 2};
    const auto with = [](std::string lines, const std::string& end) {
        for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += end.size()) {
            lines.replace(at, 1, end);
        }
        return lines;
    };
    for (const std::string end : {"\n", "\r\n", "\r", "\r\r\n", "\n\r"}) {
        CAPTURE(end.size());
        CHECK(parsed(with(text, end)) == expected);
        CHECK(parsed(gzip(with(text, end))) == expected);
        std::istringstream stream(with(text, end));
        CHECK(dense(read_matrix_market(stream)) == expected);
    }
    CHECK(parsed(with(coordinate, "\r") + with("2 2 2\n", "\r\n") + "1 1 4\n2 2 2\r") == expected);
    // Lines are counted as editors do, each end once.
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        check_refused(with(coordinate + "2 2 2\n1 1 4\n2 3 2\n", end), 4, "column is '3'");
    }
    // Ends that fall on the edge of a block of the text are found all the same: every length of the first comment.
    for (std::size_t length = (std::size_t{1} << 20) - 40; length < (std::size_t{1} << 20) + 4; ++length) {
        const std::string first = "%%MatrixMarket matrix coordinate real general\r\n";
        std::string comments;
        const auto add = [&](std::size_t letters) { comments.append(1, '%').append(letters, 'c').append("\r\n"); };
        while (comments.size() + 1000 < length) add(500);
        add(length - comments.size() - first.size());
        REQUIRE(parsed(first + comments + "2 2 2\r\n1 1 4\r\n2 2 2\r\n") == expected);
    }
}

TEST_CASE("Matrix Market: many lines that end in CR take no longer to find than others", "[matrix_market]") {
    const int n = 200'000;  // some blocks of the text
    std::string text = "%%MatrixMarket matrix array real general\r";
    text.append(std::to_string(n)).append(" 1\r");
    for (int i = 0; i < n; ++i) text += std::to_string(i % 1000 + 1) + ".5\r";
    const CsrMatrix A = parse_matrix_market(text);
    CHECK(A.nonzeros() == n);
    CHECK(A.value.back() == 1000.5);
}

TEST_CASE("Matrix Market: a byte order mark of UTF-8 is skipped, UTF-16 and UTF-32 are named", "[matrix_market]") {
    const std::string text = coordinate + "2 2 2\n1 1 4\n2 2 2\n";
    const std::vector<double> expected{4, 0, 0, 2};
    const std::string mark = "\xef\xbb\xbf";
    CHECK(parsed(mark + text) == expected);
    CHECK(parsed(gzip(mark + text)) == expected);
    check_refused(mark, 1, "empty");
    check_refused(mark + mark + text, 1, "first word");
    check_refused(mark.substr(0, 2), 1, "first word");
    const auto wide = [&](int before, int behind) {
        std::string result;
        for (const char c : text) {
            result.append(static_cast<std::size_t>(before), '\0');
            result += c;
            result.append(static_cast<std::size_t>(behind), '\0');
        }
        return result;
    };
    const std::string zeros(2, '\0');
    for (const std::string& utf16 : {"\xff\xfe" + wide(0, 1), "\xfe\xff" + wide(1, 0), wide(0, 1), wide(1, 0)}) {
        check_refused(utf16, 1, "the text is UTF-16");
        check_refused(gzip(utf16), 1, "the text is UTF-16");
    }
    for (const std::string& utf32 :
         {"\xff\xfe" + zeros + wide(0, 3), zeros + "\xfe\xff" + wide(3, 0), wide(0, 3), wide(3, 0)}) {
        check_refused(utf32, 1, "the text is UTF-32");
    }
}

TEST_CASE("Matrix Market: vectors are columns whose lines hold no column", "[matrix_market]") {
    const CsrMatrix v = parse_matrix_market("%%MatrixMarket vector array real general\n3\n1\n0\n-2\n");
    CHECK(v.rows == 3);
    CHECK(v.columns == 1);
    CHECK(dense(v) == std::vector<double>{1, 0, -2});
    CHECK(parsed("%%MatrixMarket Vector coordinate real general\n% c\n4 2\n4 2.5\n1 -1\n")
          == std::vector<double>{-1, 0, 0, 2.5});
    CHECK(parsed("%%MatrixMarket vector coordinate pattern general\n3 1\n2\n") == std::vector<double>{0, 1, 0});
    CHECK(parsed("%%MatrixMarket vector coordinate integer general\n2 3\n2 1\n2 5\n1 1\n")
          == std::vector<double>{1, 6});
    CHECK(parse_matrix_market("%%MatrixMarket vector array real general\n0\n").columns == 1);
    // Some programs write the one column of an array, and Lis of coordinates the rows only.
    CHECK(parsed("%%MatrixMarket vector array real general\n3 1\n1\n2\n3\n") == std::vector<double>{1, 2, 3});
    CHECK(parsed("%%MatrixMarket vector coordinate real general\n2\n1 5\n2 6\n") == std::vector<double>{5, 6});
    check_refused("%%MatrixMarket vector array real general\n3 2\n1\n2\n3\n", 2, "'2' is too much");
    check_refused("%%MatrixMarket vector coordinate real general\n3 1 1\n1 1\n", 2, "'1' is too much");
    check_refused("%%MatrixMarket vector coordinate real general\n3 1\n1 1 7\n", 3, "accepted: row and value");
    check_refused("%%MatrixMarket vector coordinate real general\n3 1\n4 1\n", 3, "row is '4'");
    check_refused("%%MatrixMarket vector array real general\n9\n1\n", 2, "9 entries are declared");
    for (const char* symmetry : {"symmetric", "skew-symmetric", "hermitian"}) {
        check_refused(std::string("%%MatrixMarket vector array real ") + symmetry + "\n1\n1\n", 1,
                      "a vector has no symmetry");
    }
}

TEST_CASE("Matrix Market: hermitian files of real numbers are symmetric ones", "[matrix_market]") {
    for (const char* field : {"real", "double", "integer", "unsigned-integer"}) {
        CHECK(parsed(std::string("%%MatrixMarket matrix coordinate ") + field + " hermitian\n2 2 2\n1 1 4\n2 1 3\n")
              == std::vector<double>{4, 3, 3, 0});
    }
    CHECK(parsed("%%MatrixMarket matrix coordinate pattern Hermitian\n2 2 1\n2 1\n")
          == std::vector<double>{0, 1, 1, 0});
    CHECK(parsed("%%MatrixMarket matrix array real hermitian\n2 2\n1\n2\n3\n") == std::vector<double>{1, 2, 2, 3});
    check_refused("%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n", 1, "'complex'");
    check_refused("%%MatrixMarket matrix coordinate real hermitian\n2 3 0\n", 2, "2 rows and 3 columns");
}

TEST_CASE("Matrix Market: second headers are named", "[matrix_market]") {
    const std::string entries = "2 2 2\n1 1 4\n2 2 2\n";
    const std::vector<double> expected{4, 0, 0, 2};
    CHECK(parsed(coordinate + "%%AMGX 1 1 sorted\n" + entries) == expected);
    CHECK(parsed(coordinate + "% a comment\n%%NVAMG\n" + entries) == expected);
    CHECK(parsed(coordinate + "%%GraphBLAS type fp64\n" + entries) == expected);
    CHECK(parsed(coordinate + entries + "%%AMGX rhs, after all\n") == expected);
    for (const std::string what : {"rhs", "solution", "base0", "diagonal", "symmetric", "2"}) {
        check_refused(coordinate + "%%AMGX 1 1 sorted " + what + "\n" + entries + "2\n1\n1\n", 2, "'" + what + "'");
        check_refused(coordinate + "%\n%%nvamg " + what + "\n" + entries, 3, "is AmgX's");
    }
    check_refused(coordinate + coordinate + entries, 2, "a second header, %%MatrixMarket");
    // What is taken for a comment may be why the file cannot be read.
    check_refused(coordinate + "%%GraphBLAS type bool\n2 2 1\n0 1 1\n", 4,
                  "(line 2, '%%GraphBLAS', was taken for a comment)");
    const std::string plain = complaint([&] { parse_matrix_market(coordinate + "%%---\n2 2 1\n0 1 1\n"); });
    CHECK(plain.find("taken for a comment") == std::string::npos);
}

TEST_CASE("Matrix Market: numbers in every spelling", "[matrix_market]") {
    const auto value = [](const std::string& word) { return parsed(array + "1 1\n" + word + "\n").at(0); };
    CHECK(value("+1.0") == 1);
    CHECK(value("1.0D+03") == 1000);
    CHECK(value("-1.5d-1") == -0.15);
    CHECK(value("+2D2") == 200);
    CHECK(value(".5") == 0.5);
    CHECK(value("5.") == 5);
    CHECK(value("1E3") == 1000);
    CHECK(value("007") == 7);
    CHECK(value("5e-324") == 5e-324);
    CHECK(value("1.7976931348623157e308") == 1.7976931348623157e308);
    CHECK(value("0.1000000000000000055511151231257827021181583404541015625") == 0.1);
    CHECK(parsed(array + "1 1\n1e-999\n") == std::vector<double>{0});
    CHECK(parsed(coordinate + "+1 +1 +1\n+1 +1 +4\n") == std::vector<double>{4});
}

TEST_CASE("Matrix Market: entries given twice are added", "[matrix_market]") {
    const CsrMatrix A = parse_matrix_market(coordinate + "2 2 4\n2 2 1\n1 1 5\n2 2 2\n2 2 -4\n");
    CHECK(A.nonzeros() == 2);
    CHECK(dense(A) == std::vector<double>{5, 0, 0, -1});
}

TEST_CASE("Matrix Market: wrong headers are refused", "[matrix_market]") {
    check_refused("", 1, "empty");
    check_refused("\n", 1, "first word");
    check_refused("1 1 1\n1 1 1\n", 1, "first word '1'");
    check_refused("%MatrixMarket matrix coordinate real general\n0 0 0\n", 1, "'%MatrixMarket'");
    check_refused("%%MatrixMarket tensor coordinate real general\n", 1,
                  "'tensor' is not supported; accepted: matrix, vector");
    check_refused("%%MatrixMarket matrix sparse real general\n", 1, "coordinate, array");
    check_refused("%%MatrixMarket matrix coordinate complex general\n", 1, "'complex'");
    check_refused("%%MatrixMarket matrix coordinate complex hermitian\n", 1,
                  "accepted: real, double, integer, pattern");
    check_refused("%%MatrixMarket matrix coordinate real\n", 1, "symmetry ''");
    check_refused("%%MatrixMarket matrix coordinate real general extra\n", 1, "'extra'");
    check_refused("%%MatrixMarket matrix array pattern general\n1 1\n1\n", 1, "array cannot be a pattern");
    check_refused("%%MatrixMarket matrix coordinate pattern skew-symmetric\n", 1, "pattern cannot be skew-symmetric");
}

TEST_CASE("Matrix Market: wrong sizes are refused", "[matrix_market]") {
    check_refused(coordinate, 1, "ends without sizes");
    check_refused(coordinate + "% only\n\n", 3, "ends without sizes");
    check_refused(coordinate + "%\n2 2\n1 1 1\n", 3, "number of entries is ''");
    check_refused(coordinate + "2 2 1 1\n1 1 1\n", 2, "'1' is too much");
    check_refused(array + "2 2 4\n", 2, "'4' is too much");
    check_refused(array + "2\n", 2, "2 entries are declared");
    check_refused(coordinate + "2 x 1\n1 1 1\n", 2, "'x'");
    check_refused(coordinate + "2 2.0 1\n1 1 1\n", 2, "'2.0'");
    check_refused(coordinate + "-1 2 0\n", 2, "'-1'");
    check_refused(coordinate + "1 1 -1\n", 2, "'-1'");
    check_refused(coordinate + "2147483648 1 1\n1 1 1\n", 2, "0 to 2147483647");
    check_refused(coordinate + "1 99999999999999999999 1\n1 1 1\n", 2, "0 to 2147483647");
    check_refused(coordinate + "1 1 99999999999999999999999\n1 1 1\n", 2, "entries");
    check_refused(symmetric + "2 3 0\n", 2, "2 rows and 3 columns");
    check_refused(skew + "3 2 0\n", 2, "3 rows and 2 columns");
    check_refused("%%MatrixMarket matrix array real symmetric\n1 2\n1\n", 2, "1 rows and 2 columns");
}

TEST_CASE("Matrix Market: sizes that the file cannot hold are refused before memory is taken", "[matrix_market]") {
    check_refused(coordinate + "9 9 1000000000000\n1 1 1\n", 2, "1000000000000 entries are declared");
    check_refused(coordinate + "9 9 2\n1 1 1", 2, "accepted: 1");
    check_refused("%%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 1\n1 2\n", 2, "accepted: 2");
    check_refused(array + "2147483647 2147483647\n1\n", 2, "4611686014132420609 entries");
    check_refused("%%MatrixMarket matrix array real symmetric\n2147483647 2147483647\n1\n", 2, "entries are declared");
    check_refused(coordinate + "2147483647 2147483647 1\n1 1 1\n", 2, "4294967294 rows and columns are too many");
    check_refused(coordinate + "1 2147483647 0\n", 2, "too many");
    check_refused(coordinate + "8388609 8388608 0\n", 2, "accepted: 16777216 together, and 16 more for each entry");
    check_refused(coordinate + "16777233 1 1\n1 1 1\n", 2, "16777234 rows and columns are too many for 1 entries");
    check_refused(gzip(coordinate + std::string(500'000, '%') + "\n900000000 1 1\n1 1 1\n"), 3, "too many");
    check_refused(array + "2147483647 0\n", 2, "too many");
    check_refused(gzip(coordinate + "9 9 1000000000\n1 1 1\n"), 2, "1000000000 entries are declared");
    check_refused(gzip(coordinate + "1000000000 9 1\n1 1 1\n"), 2, "too many");
    check_refused(gzip(coordinate + "9 9 5000\n1 1 1\n"), 3, "after 1 of 5000");
    CHECK(parse_matrix_market(coordinate + "16777231 1 1\n16777231 1 1\n").rows == 16777231);
}

TEST_CASE("Matrix Market: counts that do not match are refused", "[matrix_market]") {
    check_refused(coordinate + "2 2 2\n1 1 1.000000\n", 3, "after 1 of 2");
    check_refused(coordinate + "2 2 1\n1 1 1\n%\n2 2 1\n", 5, "more entries than the 1");
    check_refused(coordinate + "0 0 0\n1 1 1\n", 3, "more entries than the 0");
    check_refused(array + "2 1\n1.0000\n", 3, "after 1 of 2");
    check_refused(array + "2 1\n1\n2\n3\n", 5, "more entries than the 2");
    check_refused("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n", 6,
                  "more entries than the 3 that line 2 declares (of a symmetric array the lower triangle");
}

TEST_CASE("Matrix Market: wrong entries are refused", "[matrix_market]") {
    const std::string start = coordinate + "% a comment\n2 3 1\n";
    check_refused(start + "0 1 1\n", 4, "row is '0'");
    check_refused(start + "1 0 1\n", 4, "column is '0'");
    check_refused(start + "-1 1 1\n", 4, "row is '-1'");
    check_refused(start + "3 1 1\n", 4, "accepted: whole numbers from 1 to 2");
    check_refused(start + "1 4 1\n", 4, "accepted: whole numbers from 1 to 3");
    check_refused(start + "4294967297 1 1\n", 4, "row is '4294967297'");
    check_refused(start + "99999999999999999999 1 1\n", 4, "row is '99999999999999999999'");
    check_refused(start + "1.0 1 1\n", 4, "row is '1.0'");
    check_refused(start + "1 1x 1\n", 4, "column is '1x'");
    check_refused(start + "+-1 1 1\n", 4, "row is '+-1'");
    check_refused(start + "1 1     \n", 4, "value is ''");
    check_refused(start + "1 1 1 1\n", 4, "'1' is too much");
    check_refused(start + "1 1 1 % no\n", 4, "'%' is too much");
    check_refused(array + "1 2\n1 2\n3\n", 3, "'2' is too much");
    check_refused("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", 3, "'1' is too much");
    check_refused("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", 3, "'1.5' in an integer file");
}

TEST_CASE("Matrix Market: text that is not a finite number is refused", "[matrix_market]") {
    for (const std::string word : {"x", "1.0x", "1..0", "0x10", "1e", "1D", "--1", "+-1", "-+1", "++1", "+", "-", ".",
                                   "1,5", "1e5e5", "1D5D5", "e5", "1.0+03"}) {
        check_refused(array + "1 1\n" + word + "\n", 3, "value is '" + word + "'");
    }
    for (const std::string word :
         {"nan", "NaN", "-nan", "inf", "Inf", "-inf", "+inf", "infinity", "1e999", "-1e999", "1D999", "1.8e308"}) {
        check_refused(array + "1 1\n" + word + "\n", 3, "'" + word + "' is not finite");
    }
    check_refused(array + "1 1\n" + std::string("\x01\x80\0z", 4) + "\n", 3, "'???z'");
    check_refused(array + "1 1\n" + std::string(1000, 'z') + "\n", 3, "zz...'");
    check_refused(coordinate + "1 1 2\n1 1 1e308\n1 1 1e308\n", 4, "add up to infinity");
    check_refused(symmetric + "2 2 3\n1 1 1\n2 1 -1e308\n2 1 -1e308\n", 5, "row 2, column 1");
    check_refused(coordinate + "2 2 3\n1 2 1e308\n1 2 1e308\n2 1 1\n", 4, "row 1, column 2");
}

TEST_CASE("Matrix Market: a place and its mirror image are refused together", "[matrix_market]") {
    check_refused(symmetric + "3 3 3\n2 1 1\n3 3 1\n% comment\n1 2 1\n", 6, "mirrors the entry on line 3");
    check_refused(symmetric + "3 3 4\n3 1 1\n\n1 2 1\n3 1 1\n2 1 1\n", 7, "row 2, column 1");
    check_refused(skew + "2 2 2\n2 1 1\n1 2 -1\n", 4, "row 1, column 2");
    check_refused("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n1 2\n", 4, "mirrors");
}

TEST_CASE("Matrix Market: a diagonal in a skew-symmetric file is refused", "[matrix_market]") {
    check_refused(skew + "2 2 2\n2 1 1\n2 2 0.5\n", 4, "0.5 on the diagonal");
}

TEST_CASE("Matrix Market: a line without end is refused", "[matrix_market]") {
    check_refused(coordinate + std::string(std::size_t{3} << 20, '%'), 2, "longer than");
}

TEST_CASE("Matrix Market: truncated files are refused wherever they end", "[matrix_market]") {
    const std::string text = coordinate + "20 20 3\n10 10 1.5\n11 11 1.5\n12 12 1.5\n";
    const std::size_t whole = text.size() - std::string(".5\n").size();
    for (std::size_t length = 0; length < whole; ++length) {
        CHECK_THROWS_AS(parse_matrix_market(text.substr(0, length)), InvalidInput);
    }
    CHECK_NOTHROW(parse_matrix_market(text.substr(0, text.size() - 1)));
}

}  // namespace tests_of_matrix_market
