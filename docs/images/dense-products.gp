# gnuplot docs/images/dense-products.gp  ->  docs/images/dense-products.png
set terminal pngcairo size 1120,420 font "sans,11"
set output "docs/images/dense-products.png"
unset border; unset tics; unset key; set margins 0,0,0,0
set xrange [-0.5:33.5]; set yrange [-3.4:9]; set size ratio -1
id = 1
# 2003: a diagonal a pass
do for [i = 0:7] { do for [j = 0:7] {
    k = (j - i + 8) % 8
    set object id rectangle from j, 7 - i to j + 1, 6 - i fillcolor rgb (k == 2 ? "#ee6677" : "#eeeeee") fillstyle solid 0.9 border lc rgb "white"
    id = id + 1
} }
set label "Krueger and Westermann 2003" at 4, 8.2 center font "sans,13"
set label "a pass for each diagonal:\ny <- y + d_k * (x, rotated by k)\nn passes" at 4, -1.8 center noenhanced
# 2009: every entry multiplied in one pass
do for [i = 0:7] { do for [j = 0:7] {
    set object id rectangle from 11.5 + j, 7 - i to 12.5 + j, 6 - i fillcolor rgb "#4477aa" fillstyle solid (0.25 + 0.09 * j) border lc rgb "white"
    id = id + 1
} }
set label "Xia and Wei 2009" at 15.5, 8.2 center font "sans,13"
set label "one pass multiplies everything into n zones,\ndense\\_reduce adds the zones up\nn^2 numbers written, n^2 read again" at 15.5, -1.8 center
# the fast one: parts of several columns
do for [p = 0:3] { do for [t = 0:1] {
    set object id rectangle from 23 + 2 * p, 7 - 4 * t to 25 + 2 * p, 3 - 4 * t fillcolor rgb "#228833" fillstyle solid (0.3 + 0.15 * p) border lc rgb "white" lw 3
    set label sprintf("part %d", p) at 24 + 2 * p, 5 - 4 * t center tc rgb (p > 1 ? "white" : "black")
    id = id + 1
} }
set label "fast" at 27, 8.2 center font "sans,13"
set label "a frame: one fragment or invocation, which sums\nfour rows of its part in registers;\ndense\\_reduce adds up a zone for each part" at 27, -1.8 center
plot NaN
