# gnuplot docs/images/dense-strips.gp  ->  docs/images/dense-strips.png
set terminal pngcairo size 1120,330 font "sans,11"
set output "docs/images/dense-strips.png"
unset border; unset tics; unset key; set margins 0,0,0,0
set xrange [-1:68]; set yrange [-6:13.5]; set size ratio -1
array colour[4] = ["#4477aa", "#66ccee", "#228833", "#ccbb44"]
id = 1
do for [zone = 0:3] { do for [strip = 0:1] {
    shade = 0.45 + 0.4 * strip
    # as published: zone by zone
    x = 8 * zone + 4 * strip
    set object id rectangle from x, 0 to x + 4, 8 fillcolor rgb colour[zone + 1] fillstyle solid shade border lc rgb "white" lw 2
    # in strips: first the first strips of all
    s = 36 + 16 * strip + 4 * zone
    set object id + 1 rectangle from s, 0 to s + 4, 8 fillcolor rgb colour[zone + 1] fillstyle solid shade border lc rgb "white" lw 2
    set label sprintf("a_%d", zone) at s + 2, 4 center
    id = id + 2
} 
    set label sprintf("a_%d", zone) at 8 * zone + 4, 9.2 center
}
do for [zone = 0:3] {  # what one fragment of rows in the first strip reads
    set object id rectangle from 8 * zone, 5 to 8 * zone + 4, 6 fillstyle empty border lc rgb "black" lw 2
    id = id + 1
}
set object id rectangle from 36, 5 to 52, 6 fillstyle empty border lc rgb "black" lw 2
set label "zones, as published" at 16, 12 center font "sans,13"
set label "zones in strips of four texels" at 52, 12 center font "sans,13"
set label "framed: what the fragments of four texels of y read,\none column after the other: here and there" at 16, -2 center
set label "the same, in one piece" at 52, -2 center
plot NaN
