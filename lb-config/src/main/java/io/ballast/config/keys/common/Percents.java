package io.ballast.config.keys.common;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;

/** Types for percentages. */
public final class Percents {

    /** A percentage from 0% to 100%, without decimals. */
    public static final Type<Integer> PERCENT = Scalars.matching(
                    "percent", "a share such as 20%, at most 100%", "([0-9]{1,2}|100)%")
            .map(text -> Integer.valueOf(text.substring(0, text.length() - 1)), percent -> percent + "%");

    private Percents() {}
}
