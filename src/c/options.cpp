// Options of the C interface, one by one.
#include <glsolve/names.hpp>
#include <string>
#include <vector>

#include "c/guarded.hpp"

namespace glsolve::c {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
    return all;
}

struct Listed {
    OptionInfo info;
    std::string values, takers;
};

const std::vector<Listed>& listed_options() {
    static const std::vector<Listed> all = [] {
        std::vector<Listed> made;
        for (OptionInfo& info : all_options()) {
            std::string values = joined(info.values), takers = joined(info.takers);
            made.push_back({std::move(info), std::move(values), std::move(takers)});
        }
        return made;
    }();
    return all;
}

}  // namespace
}  // namespace glsolve::c

using namespace glsolve;
using namespace glsolve::c;

size_t glsolve_option_count(void) {
    size_t count = 0;
    guarded([&] { count = listed_options().size(); });
    return count;
}

int glsolve_option_at(size_t number, glsolve_option* option) {
    return guarded([&] {
        const std::vector<Listed>& all = listed_options();
        if (number >= all.size())
            throw InvalidInput("option number " + std::to_string(number) + ": there are " + std::to_string(all.size()));
        const Listed& of = all[number];
        give({.size = sizeof(glsolve_option),
              .name = of.info.name.c_str(),
              .heading = of.info.heading.c_str(),
              .words = of.info.words.c_str(),
              .usual = of.info.usual.c_str(),
              .values = of.values.c_str(),
              .takers = of.takers.c_str()},
             option, "option");
    });
}

int glsolve_check_options(const char* options) {
    return guarded([&] {
        Options checked;
        set_options(checked, text_or_empty(options));
    });
}
