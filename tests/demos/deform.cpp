// deform: handles are where they were dragged, edges keep their lengths, files come out as they went in.
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <vector>

#include "demos/demo_picture.hpp"

namespace tests_of_deform {

using demo_tests::last_frame;
using demo_tests::Picture;
using demo_tests::run_demo;
using demo_tests::TemporaryFile;

namespace {

using Point = std::array<double, 3>;

Point operator+(Point a, Point b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator-(Point a, Point b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator*(double s, Point a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(Point a, Point b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(Point a) { return std::sqrt(dot(a, a)); }
Point cross(Point a, Point b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// Rodrigues' formula, about an axis of length 1.
Point turned(Point p, Point axis, double angle) {
    return std::cos(angle) * p + std::sin(angle) * cross(axis, p) + (1 - std::cos(angle)) * dot(axis, p) * axis;
}

struct Mesh {
    std::vector<Point> points;
    std::vector<std::array<std::size_t, 3>> triangles;

    double diagonal() const {
        Point low = points.at(0), high = low;
        for (const Point& p : points) {
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
        }
        return length(high - low);
    }
};

/// Of what the demo writes: v and f lines with three numbers each.
Mesh read(const std::string& file) {
    Mesh mesh;
    std::ifstream in(file);
    bool well = true;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            Point& p = mesh.points.emplace_back();
            words >> p[0] >> p[1] >> p[2];
        } else if (kind == "f") {
            std::array<std::size_t, 3>& t = mesh.triangles.emplace_back();
            words >> t[0] >> t[1] >> t[2];
            for (std::size_t& v : t) --v;
        }
        well &= !words.fail();
    }
    REQUIRE(well);
    REQUIRE(mesh.points.size() > 0);
    return mesh;
}

Mesh deformed(int frames, const std::string& arguments) {
    const TemporaryFile file(".obj");
    REQUIRE(run_demo(GLSOLVE_DEMO_DEFORM, fmt::format("--no-panel --resolution low --frames {} --output '{}' {}",
                                                      frames, file.name(), arguments))
            == 0);
    return read(file.name());
}

/// The lowest and the highest 6 % of the mesh, which are held.
struct Ends {
    std::vector<std::size_t> fixed, dragged;
    Point base{}, tip{};

    explicit Ends(const Mesh& rest) {
        const auto below = [](const Point& a, const Point& b) { return a[1] < b[1]; };
        const auto [low, high] = std::ranges::minmax_element(rest.points, below);
        const double margin = 0.06 * ((*high)[1] - (*low)[1]);
        for (std::size_t v = 0; v < rest.points.size(); ++v) {
            const Point& p = rest.points[v];
            if (p[1] <= (*low)[1] + margin) fixed.push_back(v);
            if (p[1] >= (*high)[1] - margin) dragged.push_back(v);
        }
        for (const std::size_t v : fixed) base = base + (1.0 / static_cast<double>(fixed.size())) * rest.points[v];
        for (const std::size_t v : dragged) tip = tip + (1.0 / static_cast<double>(dragged.size())) * rest.points[v];
    }
};

/// How much the edges between the handles have changed, each relative to its length: the median.
double median_change(const Mesh& rest, const Mesh& now) {
    const Ends ends(rest);
    std::vector<bool> held(rest.points.size(), false);
    for (const std::size_t v : ends.fixed) held[v] = true;
    for (const std::size_t v : ends.dragged) held[v] = true;
    std::vector<double> changes;
    for (const auto& t : rest.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t a = t[k], b = t[(k + 1) % 3];
            if (held[a] && held[b]) continue;
            const double before = length(rest.points[a] - rest.points[b]);
            changes.push_back(std::abs(length(now.points[a] - now.points[b]) / before - 1));
        }
    }
    std::ranges::nth_element(changes, changes.begin() + static_cast<std::ptrdiff_t>(changes.size() / 2));
    return changes[changes.size() / 2];
}

/// What it says when it fails, and that it does so with exit code 1.
std::string complaint(const std::string& arguments) {
    const TemporaryFile words(".txt");
    const int status = run_demo(GLSOLVE_DEMO_DEFORM, fmt::format("--frames 1 {} 2> '{}'", arguments, words.name()));
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    std::ifstream in(words.name());
    std::string line, more;
    std::getline(in, line);
    CHECK_FALSE(std::getline(in, more));
    return line;
}

}  // namespace

TEST_CASE("deform: handles are where they were dragged", "[deform]") {
    const Mesh rest = deformed(1, "--path none");
    const Ends ends(rest);
    REQUIRE(ends.fixed.size() > 20);
    REQUIRE(ends.dragged.size() > 20);
    const int frames = 24, period = 48;
    const double s = std::sin(std::numbers::pi * (frames - 1) / period), amount = s * s;
    const Point way = ends.tip - ends.base, up = (1 / length(way)) * way;

    // Where each path leads a vertex of the dragged group, as the demo's handles.hpp says it.
    const auto twisted = [&](Point p) { return ends.tip + turned(p - ends.tip, up, 2.0 * amount); };
    const auto stretched = [&](Point p) { return p + 0.5 * amount * way; };
    const auto bent = [&](Point p) {
        Point axis = cross(up, {1, 0, 0});
        axis = (1 / length(axis)) * axis;
        const double angle = 1.9 * amount, radius = length(way) / angle;
        const Point tip = ends.base + radius * std::sin(angle) * up + radius * (1 - std::cos(angle)) * cross(axis, up);
        return tip + turned(p - ends.tip, axis, angle);
    };
    const auto check = [&](const char* path, const auto& place) {
        INFO(path);
        const Mesh now = deformed(frames, fmt::format("--path {} --period {}", path, period));
        REQUIRE(now.points.size() == rest.points.size());
        double fixed = 0, dragged = 0, moved = 0;
        for (const std::size_t v : ends.fixed) fixed = std::max(fixed, length(now.points[v] - rest.points[v]));
        for (const std::size_t v : ends.dragged) {
            dragged = std::max(dragged, length(now.points[v] - place(rest.points[v])));
            moved = std::max(moved, length(now.points[v] - rest.points[v]));
        }
        const double size = rest.diagonal();
        CAPTURE(fixed / size, dragged / size, moved / size);
        CHECK(fixed < 2e-3 * size);
        CHECK(dragged < 2e-3 * size);
        CHECK(moved > 0.1 * size);  // it has gone a long way
    };
    check("bend", bent);
    check("twist", twisted);
    check("stretch", stretched);
}

TEST_CASE("deform: as rigid as possible keeps the lengths of edges, Laplacian does not", "[deform]") {
    const Mesh rest = deformed(1, "--path none");
    const double rigid = median_change(rest, deformed(24, "--path bend --period 48"));
    const double laplacian = median_change(rest, deformed(24, "--path bend --period 48 --energy laplacian"));
    CAPTURE(rigid, laplacian);
    CHECK(rigid < 0.05);
    CHECK(laplacian > 2 * rigid);
}

TEST_CASE("deform: where nothing is moved the mesh comes out as it went in", "[deform]") {
    // A prism with eight sides, far from the origin, of quadrilaterals and two caps; vertex 1 is used by nothing.
    const TemporaryFile file(".obj"), out(".obj");
    std::vector<Point> points;
    {
        std::ofstream obj(file.name());
        obj << "# a prism\nmtllib none.mtl\nv 999 999 999\n";
        const int rings = 12, sides = 8;
        for (int y = 0; y < rings; ++y) {
            for (int k = 0; k < sides; ++k) {
                const double angle = 2 * std::numbers::pi * k / sides;
                points.push_back({150 + 20 * std::cos(angle), 8.0 * y - 30, 20 * std::sin(angle)});
                obj << fmt::format("v {} {} {}\n", points.back()[0], points.back()[1], points.back()[2]);
            }
        }
        const auto number = [&](int y, int k) { return 2 + y * sides + k % sides; };
        for (int y = 0; y + 1 < rings; ++y) {
            for (int k = 0; k < sides; ++k) {
                obj << fmt::format("f {} {} {} {}\n", number(y, k), number(y + 1, k), number(y + 1, k + 1),
                                   number(y, k + 1));
            }
        }
        for (const int y : {0, rings - 1}) {
            obj << "f";
            for (int k = 0; k < sides; ++k) obj << ' ' << number(y, k);
            obj << "\n";
        }
    }
    REQUIRE(run_demo(GLSOLVE_DEMO_DEFORM,
                     fmt::format("--frames 1 --path none --mesh '{}' --output '{}'", file.name(), out.name()))
            == 0);
    const Mesh mesh = read(out.name());
    CHECK(mesh.triangles.size() == 2 * 11 * 8 + 2 * 6);
    REQUIRE(mesh.points.size() == points.size());
    double largest = 0;
    for (std::size_t v = 0; v < points.size(); ++v) largest = std::max(largest, length(mesh.points[v] - points[v]));
    CHECK(largest < 1e-4 * mesh.diagonal());
}

TEST_CASE("deform: the picture shows the mesh and both handles", "[deform]") {
    const Picture picture = last_frame(GLSOLVE_DEMO_DEFORM, 1, "--resolution low --path none");
    REQUIRE(picture.width == 768);
    REQUIRE(picture.height == 640);
    struct {
        int count = 0;
        double height = 0;
    } orange, blue, green;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const int r = picture.at(x, y, 0), g = picture.at(x, y, 1), b = picture.at(x, y, 2);
            const auto count = [&](auto& colour) {
                ++colour.count;
                colour.height += y;
            };
            if (r > 150 && 2 * b < r && 4 * g < 3 * r) count(orange);
            if (b > 110 && 2 * r < b && 4 * g < 3 * b) count(blue);
            if (g > 70 && 5 * g > 6 * r && 20 * g > 21 * b) count(green);
        }
    }
    const double pixels = picture.width * picture.height;
    CAPTURE(orange.count / pixels, blue.count / pixels, green.count / pixels);
    CHECK(orange.count > 0.002 * pixels);
    CHECK(blue.count > 0.0005 * pixels);
    CHECK(green.count > 0.06 * pixels);
    CHECK(green.count < 0.4 * pixels);
    // The dragged end is above, the fixed one below.
    CHECK(orange.height / orange.count > green.height / green.count + 100);
    CHECK(blue.height / blue.count < green.height / green.count - 100);
}

TEST_CASE("deform: files that are no meshes are refused in one line", "[deform]") {
    CHECK(complaint("--mesh /nowhere/at_all.obj").find("/nowhere/at_all.obj") != std::string::npos);
    const auto refuse = [](const char* contents, const char* why) {
        const TemporaryFile file(".obj");
        std::ofstream(file.name()) << contents;
        const std::string words = complaint(fmt::format("--mesh '{}'", file.name()));
        INFO(words);
        CHECK(words.find(file.name()) != std::string::npos);
        CHECK(words.find(why) != std::string::npos);
    };
    refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no triangles");
    refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a vertex that the file does not have");
    refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "ine 4");  // "line" or "Line": tinyobjloader's words
    refuse("v 0 0 0\nv 1 0 1e39\nv 0 1 0\nf 1 2 3\n", "not finite");
    refuse("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "no height");
}

}  // namespace tests_of_deform
