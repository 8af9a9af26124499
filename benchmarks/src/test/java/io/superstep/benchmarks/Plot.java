package io.superstep.benchmarks;

import static io.superstep.benchmarks.Contender.ALIBABA;
import static io.superstep.benchmarks.Contender.BARE;
import static io.superstep.benchmarks.Contender.LANGGRAPH4J;
import static io.superstep.benchmarks.Contender.OURS;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What a step of a conversation costs against its length, drawn; both scales are logarithmic. */
final class Plot {

  private static final Map<Integer, String> ROWS = new LinkedHashMap<>();

  static {
    ROWS.put(500, "conversation:500");
    ROWS.put(1_000, "conversation:1000");
    ROWS.put(2_000, "conversation");
    ROWS.put(4_000, "conversation:4000");
  }

  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 80;
  private static final int RIGHT = 590;
  private static final int TOP = 50;
  private static final int BOTTOM = 360;
  private static final double LOWEST = 0.1;
  private static final double HIGHEST = 10_000;

  private Plot() {}

  /** The drawing as SVG; lines end where nothing was measured. */
  static String of(Results results) {
    StringBuilder svg = new StringBuilder();
    svg.append(String.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
            + " height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n",
        WIDTH, HEIGHT, WIDTH, HEIGHT));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    svg.append(text(LEFT, 28, "start", "black", "Conversation: cost of a step against its length"));
    grid(svg);
    line(svg, results, ALIBABA, "Spring AI Alibaba", "#c2571a", -8);
    line(svg, results, LANGGRAPH4J, "LangGraph4j", "#8a6d00", 10);
    line(svg, results, OURS, "Superstep", "#0b5fa5", 0);
    line(svg, results, BARE, "bare Reactor", "#555555", 0);
    return svg.append("</svg>\n").toString();
  }

  private static void grid(StringBuilder svg) {
    for (double cost = LOWEST; cost <= HIGHEST * 1.01; cost *= 10) {
      double y = y(cost);
      svg.append(rule(LEFT, y, RIGHT, y));
      svg.append(text(LEFT - 8, y + 4, "end", "black", Target.plain(cost)));
    }
    for (int steps : ROWS.keySet()) {
      double x = x(steps);
      svg.append(rule(x, TOP, x, BOTTOM));
      svg.append(text(x, BOTTOM + 20, "middle", "black", Target.plain(steps)));
    }
    svg.append(text((LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", "black", "steps"));
    svg.append(String.format(
        "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">µs of processors"
            + " per step</text>%n",
        (TOP + BOTTOM) / 2));
  }

  private static void line(
      StringBuilder svg, Results results, String who, String name, String color, int shift) {
    List<double[]> points = new ArrayList<>();
    ROWS.forEach((steps, row) -> {
      OptionalDouble cost = results.cost(row, who);
      if (cost.isPresent()) {
        points.add(new double[] {x(steps), y(cost.getAsDouble())});
      }
    });
    if (points.isEmpty()) {
      return;
    }
    svg.append(String.format(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n",
        color, points.stream().map(Plot::pair).collect(Collectors.joining(" "))));
    for (double[] point : points) {
      svg.append(String.format(
          Locale.ROOT,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
          point[0],
          point[1],
          color));
    }
    double[] last = points.get(points.size() - 1);
    svg.append(text(last[0] + 8, last[1] + 4 + shift, "start", color, name));
  }

  private static String pair(double[] point) {
    return String.format(Locale.ROOT, "%.1f,%.1f", point[0], point[1]);
  }

  private static String rule(double x1, double y1, double x2, double y2) {
    return String.format(
        Locale.ROOT,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
        x1,
        y1,
        x2,
        y2);
  }

  private static String text(double x, double y, String anchor, String color, String words) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
        x,
        y,
        anchor,
        color,
        words);
  }

  private static double x(double steps) {
    return LEFT + (RIGHT - LEFT) * Math.log(steps / 500) / Math.log(8);
  }

  private static double y(double cost) {
    return BOTTOM - (BOTTOM - TOP) * Math.log(cost / LOWEST) / Math.log(HIGHEST / LOWEST);
  }
}
