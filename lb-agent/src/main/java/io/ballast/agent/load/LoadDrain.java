package io.ballast.agent.load;

import io.ballast.agent.config.LoadDrainConfig;
import io.ballast.agent.config.LoadLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Computes the share of its weight that a backend should get. Uses no clock, threads or files.
 *
 * <pre>
 * load    ____/‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\_____________________   high
 *         ................................................   low
 * share   100 % -----\                      /---- 100 %
 *             |hold | \  bleed      | hold | /  bleed
 *                       \_ 10 % -----------/
 * </pre>
 *
 * <p>The share falls while a measured value has been at least {@code high} for {@code hold}. It rises while all
 * measured values have been below {@code low} for {@code hold}. Otherwise, the share does not change. So a load near
 * one of the limits does not change the share back and forth.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class LoadDrain {

    /** The smallest share, in percent: the backend must get some traffic, so that its load is known. */
    public static final int MIN_PERCENT = 10;

    private static final int MAX_PERCENT = 100;

    private final LoadDrainConfig config;
    private double percent = MAX_PERCENT;
    private boolean isHigh;
    private boolean isLow;
    private long sinceNanos;
    private long lastNanos;
    private boolean isFirst = true;
    private String reason = "";

    public LoadDrain(LoadDrainConfig config) {
        this.config = config;
    }

    /**
     * Adds a measurement; returns the share of the weight in percent, from {@value #MIN_PERCENT} to 100, in steps of
     * ten.
     *
     * @param nowNanos a time that never jumps; not earlier than that of the last call
     */
    public int update(LoadValues values, long nowNanos) {
        List<String> high = new ArrayList<>();
        boolean lowCpu = compare("cpu", config.cpu(), values.cpu(), high);
        boolean lowMemory = compare("memory", config.memory(), values.memory(), high);
        boolean lowErrors = compare("errors", config.errors(), values.errors(), high);
        boolean low = lowCpu && lowMemory && lowErrors;
        boolean wasHigh = isHigh;
        boolean wasLow = isLow;
        isHigh = !high.isEmpty();
        isLow = high.isEmpty() && low;
        if (isFirst || isHigh != wasHigh || isLow != wasLow) {
            sinceNanos = nowNanos;
        } else {
            move(nowNanos);
        }
        isFirst = false;
        lastNanos = nowNanos;
        if (isHigh) {
            reason = String.join(", ", high);
        }
        return percent();
    }

    /** Returns whether a value is below its low limit, or not limited; adds it to {@code high} if it is high. */
    private static boolean compare(String name, Optional<LoadLimit> limit, OptionalInt value, List<String> high) {
        if (limit.isEmpty()) {
            return true;
        }
        if (value.isEmpty()) {
            return false;
        }
        if (value.getAsInt() >= limit.get().highPercent()) {
            high.add(name + " " + value.getAsInt() + "%");
        }
        return value.getAsInt() < limit.get().lowPercent();
    }

    private void move(long nowNanos) {
        long held = nowNanos - sinceNanos - config.hold().toNanos();
        if (held <= 0 || !(isHigh || isLow)) {
            return;
        }
        long moved = Math.min(held, nowNanos - lastNanos);
        double step = config.bleed().isZero()
                ? MAX_PERCENT
                : (double) (MAX_PERCENT - MIN_PERCENT) * moved / config.bleed().toNanos();
        percent = Math.max(MIN_PERCENT, Math.min(MAX_PERCENT, isHigh ? percent - step : percent + step));
    }

    private int percent() {
        return (int) Math.round(percent / 10) * 10;
    }

    /** Returns why the share is reduced, such as {@code cpu 95%}; empty if it is not. */
    public String reason() {
        return percent() < MAX_PERCENT ? reason : "";
    }
}
