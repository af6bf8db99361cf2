// The table of options: each member of Options has a row, each row takes and gives its value in words, and what it says
// about methods and preconditioners is what these say of themselves.
#include "options/option_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <map>
#include <set>

#include "methods/method_table.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "solver/check_options.hpp"
#include "support/catch.hpp"

namespace tests_of_option_table {

using namespace glsolve;

namespace {

std::vector<OptionRow> all_rows() {
    std::vector<OptionRow> rows;
    each_option([&](const OptionRow& row) { rows.push_back(row); });
    return rows;
}

/// Becomes a member of any type: how many of them an aggregate takes is how many members it has.
struct AnyMember {
    template <class Value>
    operator Value&() const&;
    template <class Value>
    operator Value&&() const&&;
};

template <class Struct, class... Members>
constexpr int member_count() {
    if constexpr (requires { Struct{Members{}..., AnyMember{}}; }) {
        return member_count<Struct, Members..., AnyMember>();
    } else {
        return sizeof...(Members);
    }
}

/// What is no row: structs that have rows of their own, and what cannot be said in words.
const std::map<std::string, int, std::less<>> without_row{
    {"options", 9},  // slicing, preconditioning, amg, gmres, idr, direct, chebyshev; observer and on_choice, functions
    {"amg", 1},      // near_null_space, a vector for each unknown
};

/// Texts of values, the least and the largest of numbers.
std::vector<std::string> good_texts(const OptionRow& row) {
    Options options;
    const OptionPointer value = pointer_to(row, options);
    if (const auto* choice = std::get_if<ChoicePointer>(&value)) return choice->enumeration->names();
    if (std::holds_alternative<bool*>(value)) return {"true", "false"};
    if (std::holds_alternative<std::string*>(value)) return {"", "a folder"};
    if (std::holds_alternative<double*>(value)) {
        std::vector<std::string> texts{fmt::format("{}", row.range.least_real), "0.5"};
        if (row.zero_is_chosen) texts.emplace_back("chosen");
        return texts;
    }
    return {fmt::format("{}", row.range.least), fmt::format("{}", row.range.most)};
}

std::vector<std::string> bad_texts(const OptionRow& row) {
    Options options;
    const OptionPointer value = pointer_to(row, options);
    if (std::holds_alternative<ChoicePointer>(value)) return {"", "nothing of the kind"};
    if (std::holds_alternative<bool*>(value)) return {"", "perhaps"};
    if (std::holds_alternative<std::string*>(value)) return {};
    if (std::holds_alternative<double*>(value)) return {"", "x", "1x", "nan", "-inf"};
    return {"", "x", "1.5", "99999999999999999999", fmt::format("{}", row.range.least - 1)};
}

}  // namespace

TEST_CASE("every member of the options has a row in the table", "[core][options]") {
    const std::map<std::string, int, std::less<>> members{{"options", member_count<Options>()},
                                                          {"slicing", member_count<Slicing>()},
                                                          {"preconditioning", member_count<PreconditionerOptions>()},
                                                          {"amg", member_count<AmgOptions>()},
                                                          {"gmres", member_count<GmresOptions>()},
                                                          {"idr", member_count<IdrOptions>()},
                                                          {"direct", member_count<DirectOptions>()},
                                                          {"chebyshev", member_count<ChebyshevOptions>()}};
    std::map<std::string, int, std::less<>> rows;
    std::set<const void*> places;
    std::set<std::string> names;
    Options options;
    for (const OptionRow& row : all_rows()) {
        INFO(row.name);
        ++rows[std::string(row.at.group->name)];
        const auto address = [](const auto& value) -> const void* {
            if constexpr (requires { value.value; }) {
                return value.value;
            } else {
                return value;
            }
        };
        CHECK(places.insert(std::visit(address, pointer_to(row, options))).second);
        CHECK(names.insert(std::string(row.name)).second);
        CHECK(find_option(row.name)->at.member == row.at.member);
        CHECK_FALSE(row.words.empty());
    }
    for (const auto& [group, count] : members) {
        INFO(group << ": a new member needs a row in src/options");
        const auto left = without_row.find(group);
        CHECK(rows[group] + (left == without_row.end() ? 0 : left->second) == count);
    }
    CHECK(rows.size() == members.size());
}

TEST_CASE("every option takes its value in words and gives it back", "[core][options]") {
    const Options usual;
    for (const OptionRow& row : all_rows()) {
        for (const std::string& text : good_texts(row)) {
            CAPTURE(row.name, text);
            Options options;
            set_option(options, row.name, text);
            CHECK(option_text(options, row.name) == text);
            check_ranges(options);
            for (const OptionRow& other : all_rows()) {
                if (other.name != row.name) CHECK(option_text(options, other.name) == option_text(usual, other.name));
            }
            set_option(options, row.name, option_text(usual, row.name));
            CHECK(option_text(options, row.name) == option_text(usual, row.name));
        }
        for (const std::string& text : bad_texts(row)) {
            CAPTURE(row.name, text);
            Options options;
            CHECK_THROWS_AS(set_option(options, row.name, text), InvalidInput);
            CHECK(option_text(options, row.name) == option_text(usual, row.name));
        }
    }
}

TEST_CASE("what is refused in words says what would be accepted", "[core][options]") {
    struct Typed {
        const char *name, *text, *complaint;
    };
    Options options;
    for (const auto& [name, text, complaint] :
         {Typed{"restart", "0", "restart: '0' is no whole number from 1 to 1024"},
          Typed{"restart", "many", "restart: 'many' is no whole number from 1 to 1024"},
          Typed{"method", "gmre", "method: 'gmre' is not among them; did you mean gmres? Accepted: cg, "},
          Typed{"tol", "-1", "tolerance: '-1' is no number from 0 on"},
          Typed{"tolerance", "inf", "tolerance: 'inf' is no number from 0 to"},
          Typed{"modified", "2", "preconditioning: modified is 2; it has to be from 0 to 1"},
          Typed{"amg-strength", "1", "amg: strength is 1; it has to be below 1 (negative: chosen)"},
          Typed{"slice-height", "6", "slice height 6: it must be a power of two between 4 and 1048576"},
          Typed{"relaxation", "0", "relaxation: '0' is no number above 0"},
          Typed{"relaxation", "1e-40", "relaxation is 1e-40; it has to be finite and positive"},
          Typed{"profile", "perhaps", "profile: 'perhaps' is neither true nor false"},
          Typed{"restrat", "1", "options: 'restrat' is not among them; did you mean restart? Accepted: method, "}}) {
        CHECK_THROWS_WITH(set_option(options, name, text), StartsWith(complaint));
    }
    set_option(options, "method", "GMRES");
    CHECK(options.method == Method::gmres);
}

TEST_CASE("a value out of its range is refused by the checks", "[core][options]") {
    for (const OptionRow& row : all_rows()) {
        Options options;
        const OptionPointer value = pointer_to(row, options);
        const auto* number = std::get_if<int*>(&value);
        const auto* real = std::get_if<double*>(&value);
        if (number == nullptr && real == nullptr) continue;
        if (number != nullptr) **number = static_cast<int>(row.range.least) - 1;
        if (real != nullptr) **real = std::nan("");
        INFO(row.name);
        CHECK_THROWS_AS(check_options(options), InvalidInput);
        if (row.at.group->name == "amg") CHECK_THROWS_AS(analyze_hierarchy(poisson2d(4), options.amg), InvalidInput);
    }
}

TEST_CASE("what the table says of methods and preconditioners is what they say", "[core][options]") {
    for (const Method method : all_methods()) {
        const MethodTraits& is = method_row(method).is;
        INFO(name(method));
        CHECK(find_option("test-every")->methods.contains(method) == is.tests_at_intervals);
        CHECK(find_option("relaxation")->methods.contains(method) == is.stationary);
        CHECK(find_option("restart")->methods.contains(method) == is_gmres(method));
    }
    for (const PreconditionerKind kind : all_preconditioners()) {
        const PreconditionerTraits& is = preconditioner_row(kind).is;
        INFO(name(kind));
        CHECK(find_option("factor-block")->preconditioners.contains(kind) == is.in_blocks);
        CHECK(find_option("amg-cycle")->preconditioners.contains(kind) == is.multigrid);
        if (is.over_relaxes) CHECK(find_option("preconditioner-relaxation")->preconditioners.contains(kind));
    }
}

namespace {

template <class Choice>
void check_names() {
    std::set<std::string> names;
    for (const Choice value : values_of<Choice>()) {
        INFO(name(value));
        CHECK(from_name<Choice>(name(value)) == value);
        CHECK(names.insert(std::string(name(value))).second);
    }
    CHECK(names.size() > 1);
    CHECK_FALSE(from_name<Choice>("no such name"));
    // The value behind the last one has no name: none was left out.
    if constexpr (requires(Choice choice) { name(choice); } && !std::is_same_v<Choice, Method>
                  && !std::is_same_v<Choice, PreconditionerKind> && !std::is_same_v<Choice, FormatKind>) {
        CHECK(name(static_cast<Choice>(names.size())).empty());
    }
}

}  // namespace

TEST_CASE("every enumeration is found by its names", "[core][options]") {
    check_names<Method>();
    check_names<PreconditionerKind>();
    check_names<FormatKind>();
    check_names<Precision>();
    check_names<Reordering>();
    check_names<EllWidth>();
    check_names<FactorApplication>();
    check_names<FactorOrder>();
    check_names<Orthogonalisation>();
    check_names<LeastSquares>();
    check_names<DirectForm>();
    check_names<ChebyshevForm>();
    check_names<Coarsening>();
    check_names<Interpolation>();
    check_names<MultigridCycle>();
    check_names<MultigridSmoother>();
    check_names<MultigridSetup>();
    CHECK(from_name<BackendKind>("CUDA") == BackendKind::cuda);
    CHECK(from_name<Stage>("compute") == Stage::compute);
}

TEST_CASE("texts set several options, or none", "[core][options]") {
    Options options;
    set_options(options, " method=gmres\ttolerance=1e-11 \n choice-cache=\"/a b/c\" restart=30 ");
    CHECK(options.method == Method::gmres);
    CHECK(options.tolerance == 1e-11);
    CHECK(options.choice_cache == "/a b/c");
    CHECK(options.gmres.restart == 30);
    set_options(options, "");
    const auto [text, complaint] = GENERATE(table<const char*, const char*>({
        {"method=cg tolerance", "'tolerance' is no name=value"},
        {"method=cg =3", "'=3' is no name=value"},
        {"method=cg = 3", "'=' is no name=value"},
        {"method=cg choice-cache=\"/a b", "the closing quote is missing"},
        {"method=cg tolerance=tight", "tolerance: 'tight'"},
        {"method=cg tolerence=1", "tolerence"},
    }));
    CAPTURE(text);
    CHECK_THROWS_WITH(set_options(options, text), ContainsSubstring(complaint));
    CHECK(options.method == Method::gmres);  // what stood in front of the mistake is not set
}

TEST_CASE("options can be listed, and values of enumerations found by name", "[core][options]") {
    Options options;
    for (const OptionInfo& info : all_options()) {
        CAPTURE(info.name);
        CHECK(!info.words.empty());
        CHECK(!info.heading.empty());
        if (info.usual != "chosen") CHECK_NOTHROW(set_option(options, info.name, info.usual));
        for (const std::string& value : info.values) CHECK_NOTHROW(set_option(options, info.name, value));
    }
    CHECK(from_name<Method>("BiCGStab") == Method::bicgstab);
    CHECK(from_name<StatePolicy>("host-resets") == StatePolicy::host_resets);
    CHECK(from_name<Outcome>("met_on_device") == Outcome::met_on_device);
    CHECK(!from_name<Precision>("quadruple"));
}

}  // namespace tests_of_option_table
