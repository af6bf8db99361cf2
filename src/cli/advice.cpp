#include "cli/advice.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <glsolve/solver.hpp>

#include "cli/open_device.hpp"
#include "cli/solution.hpp"
#include "cli/terminal.hpp"
#include "options/names.hpp"

namespace glsolve::cli {

Advice advise(CsrView A, const DeviceOptions& options, std::string_view device) {
    const Options free{.method = Method::automatic,
                       .preconditioner = PreconditionerKind::automatic,
                       .choice_cache = default_program_cache()};
    auto [opened, choice] = open_device_for(A, free, options, device);
    const std::string text = device_text(opened.info());
    const Solver solver(opened, A, free);
    return {choice.empty() ? text : fmt::format("{} ({})", text, choice), solver.method()};
}

void print_advice(const Advice& advice) {
    const MethodChoice& choice = advice.choice;
    print_line(stdout, "advice", fmt::format("{}: {}", in_words(choice.method, choice.preconditioner), choice.reason));
    int place = 0;
    for (const MethodPrediction& way : choice.predictions) {
        print_line(
            stdout, "",
            fmt::format("{}. {}: {} {:.2g} s, set-up and solve", ++place, in_words(way.method, way.preconditioner),
                        way.measured ? "took" : "predicted", way.seconds));
    }
    print_line(stdout, "", "on " + advice.device);
}

}  // namespace glsolve::cli
