# gnuplot docs/images/dense-layout.gp  ->  docs/images/dense-layout.png
set terminal pngcairo size 1120,470 font "sans,11"
set output "docs/images/dense-layout.png"
unset border; unset tics; unset key; set margins 0,0,0,0
set xrange [-0.5:31.5]; set yrange [-2.2:11.2]; set size ratio -1
array colour[8] = ["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#bb7733", "#888888"]
id = 1
# the matrix: a column has one colour, its two texels are framed
do for [j = 0:7] { do for [i = 0:7] {
    set object id rectangle from j, 8 - i to j + 1, 7 - i fillcolor rgb colour[j + 1] fillstyle solid 0.55 border lc rgb "#dddddd"
    id = id + 1
} }
do for [j = 0:7] { do for [k = 0:1] {
    set object id rectangle from j, 8 - 4 * k to j + 1, 4 - 4 * k fillstyle empty border lc rgb "black" lw 1.5
    id = id + 1
} }
set label "A, 8 x 8" at 4, 9.9 center font "sans,13"
do for [j = 0:7] { set label sprintf("a_{%d}", j) at j + 0.5, 8.6 center }
set label "rows 0 - 3" at 8.3, 6 tc rgb "#555555"
set label "rows 4 - 7" at 8.3, 2 tc rgb "#555555"
# one texel
do for [c = 0:3] {
    set object id rectangle from 12.2, 7 - c to 13.4, 6 - c fillcolor rgb word("#cc3311 #009944 #0055bb #777777", c + 1) fillstyle solid 0.6 border lc rgb "black"
    set label word("R G B A", c + 1) at 12.8, 6.5 - c center tc rgb "white"
    set label sprintf("a_{%d,0}", c) at 13.7, 6.5 - c
    id = id + 1
}
set label "four rows\nof a column:\na texel" at 13.6, 1.7 center
# textureA
do for [j = 0:7] { do for [k = 0:1] {
    x = 17 + 2 * (j % 2) + k; y = 8 - 2 * (j / 2)
    set object id rectangle from x, y to x + 1, y - 2 fillcolor rgb colour[j + 1] fillstyle solid 0.55 border lc rgb "#dddddd"
    id = id + 1
}
    x = 17 + 2 * (j % 2); y = 8 - 2 * (j / 2)
    set object id rectangle from x, y to x + 2, y - 2 fillstyle empty border lc rgb "black" lw 2
    set label sprintf("a_{%d}", j) at x + 1, y - 1 center
    id = id + 1
}
set label "textureA: 4 x 4 texels" at 19, 9.9 center font "sans,13"
set label "a zone for each column" at 19, 8.8 center
# textureB
do for [j = 0:7] {
    x = 23 + 2 * (j % 2); y = 8 - 2 * (j / 2)
    set object id rectangle from x, y to x + 2, y - 2 fillcolor rgb colour[j + 1] fillstyle solid 0.2 border lc rgb "black" lw 2
    set label sprintf("x_{%d}", j) at x + 1, y - 1 center
    id = id + 1
}
set label "textureB" at 25, 9.9 center font "sans,13"
set label "x_j everywhere in zone j" at 25, 8.8 center noenhanced
set label "*" at 22, 4 center font "sans,22"
set label "=" at 27.9, 4 center font "sans,22"
# textureC and y
do for [j = 0:7] { do for [k = 0:1] {
    x = 28.6 + 0.7 * (j % 2) + 0.35 * k; y = 8 - 2 * (j / 2)
    set object id rectangle from x, y to x + 0.35, y - 2 fillcolor rgb colour[j + 1] fillstyle solid 0.4 border lc rgb "black"
    id = id + 1
} }
set label "textureC" at 29.3, 9.9 center font "sans,13"
set label "dense\\_reduce adds its zones up: one zone is left, y = A x" at 31.2, -1.2 right
set arrow from 29.3, -0.1 to 29.3, -0.8 head filled
plot NaN
