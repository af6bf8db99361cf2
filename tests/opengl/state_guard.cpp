// The state guard alone: what a host has set is suspended, and restored.
#include "opengl/state_guard.hpp"

#include <memory>

#include "hostile_host.hpp"
#include "support/gl_state_probe.hpp"

namespace tests_of_state_guard {

using namespace glsolve;
using namespace glsolve::opengl;
using namespace gl_state_probe;
using namespace state_guard_test;

TEST_CASE("A host that has set everything finds it unchanged", "[opengl]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    for (const Setting& setting : hostile_settings(*session)) setting.set();
    session->visit();
}

TEST_CASE("A host that has set nothing finds it unchanged", "[opengl]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    session->visit();
    session->visit();
}

TEST_CASE("Each thing that a host may have set is suspended and restored", "[opengl]") {
    auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const std::size_t count = hostile_settings(*session).size();
    for (std::size_t i = 0; i < count; ++i) {
        session.reset();  // the next context starts from OpenGL's defaults
        session = open_session<CoreSession>();
        const Setting setting = hostile_settings(*session)[i];
        INFO(setting.name);
        const GlState defaults = session->state();
        setting.set();
        CHECK(defaults != session->state());
        session->visit();
    }
}

TEST_CASE("A current program that could not be made current again is refused", "[opengl]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const GLuint program = session->host.program;
    glUseProgram(program);
    SECTION("flagged for deletion") {
        glDeleteProgram(program);
        session->check_refusal("flagged for deletion");
    }
    SECTION("no longer linked") {
        glAttachShader(program,
                       compile(GL_FRAGMENT_SHADER, "#version 330 core\nvoid missing(); void main() { missing(); }"));
        glLinkProgram(program);
        session->check_refusal("failed its last link");
    }
    glUseProgram(0);
    session->visit();
}

TEST_CASE("Transform feedback is refused while it runs and survives a visit while paused", "[opengl]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    if (!session->features.at_least(4, 0) && !has_extension("GL_ARB_transform_feedback2")) {
        WARN("skipped: transform feedback cannot be paused here");
        return;
    }
    glUseProgram(session->host.program);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, session->host.buffer);
    glBeginTransformFeedback(GL_TRIANGLES);
    session->check_refusal("transform feedback");
    glPauseTransformFeedback();
    session->visit();
    glResumeTransformFeedback();
    glEndTransformFeedback();
    CHECK(session->errors.take() == "");
}

TEST_CASE("A guard of fewer or of too many units stays within the context's limits", "[opengl]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const GlState before = session->state();
    for (const GuardedUnits units : {GuardedUnits{0, 0}, GuardedUnits{1, 1}, GuardedUnits{100000, 100000}}) {
        StateGuard guard{session->gl, session->features, units};
        guard.enter();
        CHECK(differences(baseline_for(before), session->state()) == "");
        guard.leave();
        CHECK(differences(before, session->state()) == "");
    }
    CHECK(session->errors.take() == "");
}

}  // namespace tests_of_state_guard
