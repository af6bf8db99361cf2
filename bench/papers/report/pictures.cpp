// Figures as SVG, drawn by gnuplot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/gnuplot.hpp"
#include "writers.hpp"

namespace glsolve::bench {
namespace {

constexpr int width = 860, height = 480;

std::string in_quotes(std::string_view text) { return cli::gnuplot_string(text); }

/// gnuplot has eight colours of its own, and then begins again.
constexpr const char* more_colours =
    "set linetype 9 lc rgb '#8c564b'\nset linetype 10 lc rgb '#7f7f7f'\nset linetype 11 lc rgb '#17becf'\n"
    "set linetype 12 lc rgb '#bcbd22'\nset linetype cycle 12\n";

std::string data(const Figure& figure) {
    std::string text;
    for (std::size_t k = 0; k < figure.curves.size(); ++k) {
        text += fmt::format("$curve{} << EOD\n", k);
        for (const auto& [x, y] : figure.curves[k].points) {
            const bool drawn = std::isfinite(y) && (!figure.log_y || y > 0 || figure.kind != FigureKind::lines);
            text += drawn ? fmt::format("{:.9g} {:.6g}\n", x, y) : "\n";
        }
        text += "EOD\n";
    }
    return text;
}

template <class Part>
std::string plot_all(const Figure& figure, const Part& part) {
    std::string text = "plot ";
    for (std::size_t k = 0; k < figure.curves.size(); ++k) text += (k == 0 ? "" : ", ") + part(k);
    return text + "\n";
}

std::string lines(const Figure& figure) {
    int colour = 0;
    return plot_all(figure, [&](std::size_t k) {
        const Curve& curve = figure.curves[k];
        if (!curve.beside) ++colour;
        // Points hide a curve that has very many.
        const char* style = curve.points.size() > 60 || curve.beside ? "lines" : "linespoints";
        return fmt::format("$curve{} using 1:2 with {} lw 2 lc {}{} title {} noenhanced", k, style, colour,
                           curve.beside ? " dt 2" : "", in_quotes(curve.name));
    });
}

/// Groups of bars, a group for each category.
std::string bars(const Figure& figure) {
    std::string text = "set style fill solid 0.8\nset xtics rotate by -30 noenhanced\nset xtics (";
    for (std::size_t i = 0; i < figure.categories.size(); ++i) {
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", in_quotes(figure.categories[i]), i);
    }
    const double share = 0.8 / static_cast<double>(std::max<std::size_t>(figure.curves.size(), 1));
    text += fmt::format(")\nset xrange [-0.6:{}]\nset boxwidth {}\n",
                        static_cast<double>(figure.categories.size()) - 0.4, share);
    if (!figure.log_y) text += "set yrange [0:*]\n";
    return text + plot_all(figure, [&](std::size_t k) {
               const double shift = (static_cast<double>(k) + 0.5) * share - 0.4;
               return fmt::format("$curve{} using ($0+{}):2 with boxes title {} noenhanced", k, shift,
                                  in_quotes(figure.curves[k].name));
           });
}

/// Boxes along time, a lane for each curve; the first lane on top.
std::string spans(const Figure& figure) {
    std::string text = "set style fill solid 0.8 noborder\nunset key\nset ytics noenhanced (";
    const auto lane = [&](std::size_t k) { return figure.curves.size() - k; };
    for (std::size_t k = 0; k < figure.curves.size(); ++k) {
        text += fmt::format("{}{} {}", k == 0 ? "" : ", ", in_quotes(figure.curves[k].name), lane(k));
    }
    text += fmt::format(")\nset yrange [0.4:{}.6]\n", figure.curves.size());
    return text + plot_all(figure, [&](std::size_t k) {
               return fmt::format("$curve{} using 1:({}):1:2:({}-0.35):({}+0.35) with boxxyerror", k, lane(k), lane(k),
                                  lane(k));
           });
}

}  // namespace

void draw(const std::filesystem::path& file, const Figure& figure) {
    std::string text = more_colours + data(figure);
    text += fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\nset grid\n",
                        in_quotes(figure.title), in_quotes(figure.x_label), in_quotes(figure.y_label));
    text += "set key outside right top\nset key noenhanced\n";
    if (figure.log_x) text += "set logscale x\n";
    if (figure.log_y) text += "set logscale y\nset format y '10^{%L}'\n";
    switch (figure.kind) {
        case FigureKind::lines:
            text += lines(figure);
            break;
        case FigureKind::bars:
            text += bars(figure);
            break;
        case FigureKind::spans:
            text += spans(figure);
            break;
    }
    cli::draw(file, width, height, text);
}

}  // namespace glsolve::bench
