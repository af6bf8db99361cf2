#include "options/option_table.hpp"

#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {

const std::vector<OptionSection>& option_sections() {
    static const std::vector<OptionSection> sections = [] {
        std::vector<OptionSection> all;
        const std::vector<OptionSection> of_rows = sections_of_preconditioner_rows();
        for (const std::span<const OptionSection> some :
             {solve_sections, method_sections, preconditioner_sections, std::span(of_rows), multigrid_sections}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }();
    return sections;
}

}  // namespace glsolve::inline v0_1
