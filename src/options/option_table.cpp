#include "options/option_table.hpp"

#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {

const std::vector<OptionSection>& option_sections() {
    static const std::vector<OptionSection> sections = [] {
        std::vector<OptionSection> all;
        for (const auto& some : {solve_sections, method_sections, preconditioner_sections, multigrid_sections}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }();
    return sections;
}

}  // namespace glsolve::inline v0_1
