// Grids made of textures, and solved on them.
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>

#include "texture_support.hpp"

using namespace texture_test;

namespace {

/// b without its mean over the cells that count, and zeros elsewhere.
template <class Counts>
std::vector<double> without_mean(const std::vector<float>& b, const Counts& counts) {
    std::vector<double> made(b.begin(), b.end());
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (counts(i)) sum += made[i], count += 1;
    }
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = counts(i) ? made[i] - sum / count : 0;
    return made;
}

}  // namespace

TEST_CASE("Grids are made of textures, and solved on them", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 22, height = 17;
    std::vector<float> cells(width * height, 1.0f), b(width * height), zeros(width * height, 0.0f);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            if (std::hypot(x - 9, y - 8) < 4) cells[static_cast<std::size_t>(i)] = 0;  // solid
            if (y == height - 1) cells[static_cast<std::size_t>(i)] = -1;              // open
            b[static_cast<std::size_t>(i)] = static_cast<float>((i * 29) % 23 - 11) / 8;
        }
    }
    for (const Stage stage : stages(*session)) {
        for (const auto preconditioner : {PreconditionerKind::multigrid, PreconditionerKind::jacobi}) {
            for (const bool from_texture : {true, false}) {
                CAPTURE(name(stage), name(preconditioner), from_texture);
                Device device = Device::adopt_current_opengl(stage);
                Options options = GridSolver::usual_options();
                options.preconditioner = preconditioner;
                options.tolerance = 1e-6;
                GridSolver solver(device, {.width = width, .height = height}, options);
                const Picture kinds(width, height, 1, GL_R32F, cells), right(width, height, 1, GL_R32F, b),
                    x(width, height, 1, GL_R32F, zeros);
                if (from_texture) {
                    solver.set_cells_from({.texture = kinds.name});
                } else {
                    std::vector<Cell> on_host;
                    for (const float c : cells)
                        on_host.push_back(c > 0 ? Cell::unknown : c < 0 ? Cell::open : Cell::solid);
                    solver.set_cells(on_host);
                }
                const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
                INFO(report.reason);
                CHECK(report.status == Status::met_on_device);
                const CsrMatrix A = solver.matrix();
                std::vector<double> masked(b.begin(), b.end());
                for (std::size_t i = 0; i < masked.size(); ++i) masked[i] = cells[i] > 0 ? masked[i] : 0;
                const std::vector<float> found = x.texels();
                const std::vector<double> answer(found.begin(), found.end());
                CHECK(test::true_residual(A, answer, masked) <= 1e-6 + rounding(A, answer, masked));
                CHECK(session->errors.take() == "");
            }
        }
    }
}

TEST_CASE("Of closed grids what no pressure makes is taken off", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 19, height = 14;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = GridSolver::usual_options();
    options.tolerance = 1e-5;
    GridSolver solver(device, {.width = width, .height = height}, options);
    std::vector<Cell> kinds(width * height, Cell::unknown);
    for (int y = 4; y < 9; ++y) kinds[static_cast<std::size_t>(y * width + 6)] = Cell::solid;
    solver.set_cells(kinds);
    std::vector<float> b(width * height);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8;  // does not add up to zero
    const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, b);
    const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
    INFO(report.reason);
    CHECK(report.status == Status::met_on_device);
    const std::vector<double> projected = without_mean(b, [&](std::size_t i) { return kinds[i] == Cell::unknown; });
    const std::vector<float> found = x.texels();
    const std::vector<double> answer(found.begin(), found.end());
    CHECK(test::true_residual(solver.matrix(), answer, projected) <= 2e-5);
}

TEST_CASE("Closed grids with cells by themselves, and with coefficients later, lose only their mean",
          "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 64, height = 20;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = GridSolver::usual_options();
    options.tolerance = 1e-5;
    GridSolver solver(device, {.width = width, .height = height}, options);
    std::vector<Cell> kinds(width * height, Cell::unknown);
    const int alone = 7 * width + 9;  // an unknown between four solids
    for (const int beside : {-1, 1, -width, width}) kinds[static_cast<std::size_t>(alone + beside)] = Cell::solid;
    std::vector<float> b(width * height);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8;
    const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, b);
    for (const bool coefficients : {false, true}) {
        CAPTURE(coefficients);
        std::vector<float> k(kinds.size());
        for (std::size_t i = 0; i < k.size(); ++i) k[i] = 1 + static_cast<float>(i % 3);
        coefficients ? solver.set_cells(kinds, k) : solver.set_cells(kinds);
        solver.warm_up({.texture = right.name}, {.texture = x.name});
        CHECK(x.texels()[5] != 0);
        const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
        INFO(report.reason);
        CHECK(report.status == Status::met_on_device);
        const std::vector<double> projected = without_mean(
            b, [&](std::size_t i) { return kinds[i] == Cell::unknown && i != static_cast<std::size_t>(alone); });
        const std::vector<float> found = x.texels();
        std::vector<double> answer(found.begin(), found.end());
        answer[static_cast<std::size_t>(alone)] = 0;
        CHECK(test::true_residual(solver.matrix(), answer, projected) <= 3e-5);
    }
    CHECK(session->errors.take() == "");
}

TEST_CASE("On textures unknowns on Neumann walls weigh what they do in vectors", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 21, height = 16;
    constexpr std::array open_below{Wall::dirichlet, Wall::neumann}, closed{Wall::neumann, Wall::neumann};
    std::vector<float> b(width * height), zeros(width * height, 0.0f);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8 - 1;
    for (const Stage stage : stages(*session)) {
        for (const bool is_closed : {false, true}) {
            CAPTURE(name(stage), is_closed);
            Device device = Device::adopt_current_opengl(stage);
            Options options = GridSolver::usual_options();
            options.tolerance = 1e-6;
            GridSolver solver(device,
                              {.width = width,
                               .height = height,
                               .points = GridPoints::vertices,
                               .x_walls = closed,
                               .y_walls = is_closed ? closed : open_below},
                              options);
            const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, zeros);
            const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
            INFO(report.reason);
            CHECK(report.status == Status::met_on_device);
            const std::vector<double> in_double(b.begin(), b.end());
            std::vector<double> expected(b.size(), 0.0);
            CHECK(solver.solve(in_double, expected).converged());
            const std::vector<float> found = x.texels();
            // Closed grids determine x but for a constant.
            const double shift = is_closed ? static_cast<double>(found[0]) - expected[0] : 0;
            double largest = 0, difference = 0;
            for (std::size_t i = 0; i < b.size(); ++i) {
                largest = std::max(largest, std::abs(expected[i]));
                difference = std::max(difference, std::abs(static_cast<double>(found[i]) - shift - expected[i]));
            }
            CHECK(difference < 1e-4 * largest);
            CHECK(session->errors.take() == "");
        }
    }
}
