package io.ballast.core.stats;

/** A counter whose name is a label value of a metric and a field in the API. */
public interface LabelledCounter {

    String label();
}
