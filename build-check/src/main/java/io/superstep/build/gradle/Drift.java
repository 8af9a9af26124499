package io.superstep.build.gradle;

/**
 * One thing the two builds say differently.
 *
 * @param file the file that says it differently, relative to the root of the project
 * @param reference the file it should agree with
 */
public record Drift(String file, String reference, String difference, String fix) {

  @Override
  public String toString() {
    return "%n%s has drifted from %s: %s%n    fix %s".formatted(file, reference, difference, fix);
  }
}
