package io.ballast.dashboard.live;

import java.util.function.DoubleConsumer;

/** A ring buffer with one value per second and a fixed size. */
public final class FloatRing {

    private final float[] values;
    private int next;
    private int size;

    FloatRing(int capacity) {
        this.values = new float[capacity];
    }

    void add(double value) {
        values[next] = (float) value;
        next = (next + 1) % values.length;
        size = Math.min(size + 1, values.length);
    }

    /** Passes the values to {@code consumer}, oldest first. */
    public void forEach(DoubleConsumer consumer) {
        int first = Math.floorMod(next - size, values.length);
        for (int i = 0; i < size; i++) {
            consumer.accept(values[(first + i) % values.length]);
        }
    }
}
