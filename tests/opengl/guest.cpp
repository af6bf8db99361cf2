// A guest in someone's renderer: solving in an adopted context that is as hostile as can be.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "hostile_host.hpp"
#include "support/problems.hpp"

namespace tests_of_guest {

using namespace glsolve;
using namespace state_guard_test;

TEST_CASE("A solve in a hostile host's context is right and leaves everything as it was", "[opengl]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = poisson2d(13);
    const auto b = test::matching_right_hand_side(A);
    for (const Stage stage : {Stage::fragment, Stage::compute}) {
        if (stage == Stage::compute && !session->features.compute) continue;
        for (const Setting& setting : hostile_settings(*session)) setting.set();
        const auto before = session->state();
        {
            Device device = Device::adopt_current_opengl(stage);
            CHECK(differences(before, session->state()) == "");
            CHECK(device.info().context == "current");
            Solver solver(device, A);
            CHECK(differences(before, session->state()) == "");
            std::vector<double> x(b.size(), 0.0);
            const Report report = solver.solve(b, x);
            CHECK(differences(before, session->state()) == "");
            CHECK(report.converged());
            CHECK(test::true_residual(A, x, b) <= 1e-8);
        }
        CHECK(differences(before, session->state()) == "");
        CHECK(session->errors.take() == "");
    }
}

TEST_CASE("No context can be adopted where none is current", "[opengl]") {
    { const auto session = open_session<CoreSession>(); }
    CHECK_THROWS_AS(Device::adopt_current_opengl(), NoDevice);
}

TEST_CASE("A device of another context refuses to work, and its end harms no one", "[opengl]") {
    const auto first = open_session<CoreSession>();
    if (first == nullptr) return;
    auto device = std::make_unique<Device>(Device::adopt_current_opengl(Stage::fragment));
    const CsrMatrix A = poisson2d(5);
    auto solver = std::make_unique<Solver>(*device, A);
    const auto second = open_session<CoreSession>();  // now this one is current
    const GLuint texture = second->host.texture;
    std::vector<double> b(25, 1.0), x(25, 0.0);
    CHECK_THROWS_WITH(solver->solve(b, x), ContainsSubstring("not current"));
    const auto before = second->state();
    solver.reset();
    device.reset();
    CHECK(differences(before, second->state()) == "");
    CHECK(glIsTexture(texture) == GL_TRUE);
    CHECK(second->errors.take() == "");
}

}  // namespace tests_of_guest
