package io.ballast.cli.override;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Formats external overrides as a table. */
final class OverrideTable {

    /** The largest number of overrides that a list shows. */
    static final int MAX = 1_000;

    private OverrideTable() {}

    /** @param list the document {@code /api/v1/overrides} */
    static List<String> ofAll(ApiObject list) {
        List<ApiObject> overrides = list.objects("overrides");
        if (overrides.isEmpty()) {
            return List.of("no overrides");
        }
        TextTable table =
                new TextTable(5, "POOL", "ADDRESS", "SOURCE", "STATE", "IN EFFECT", "WEIGHT", "LEFT", "REASON");
        overrides.forEach(each -> table.add(row(each.text("pool"), each.text("backend"), each)));
        List<String> lines = new ArrayList<>(table.lines());
        long more = list.number("total") - overrides.size();
        if (more > 0) {
            lines.add("and " + more + " more");
        }
        return lines;
    }

    /** @param backend the document {@code /api/v1/overrides/{pool}/{backend}} */
    static List<String> ofBackend(ApiObject backend) {
        String name = backend.text("pool") + "/" + backend.text("backend");
        List<ApiObject> overrides = backend.objects("overrides");
        return overrides.isEmpty()
                ? List.of(name + ": no overrides")
                : overrides.stream().map(each -> name + " " + line(each)).toList();
    }

    /** Describes an override in one line: "down by probe: replication lag (5m left)". */
    private static String line(ApiObject override) {
        String reason = override.text("reason");
        return effect(override) + " by " + override.text("source") + (reason.isEmpty() ? "" : ": " + reason) + " ("
                + left(override) + " left" + (isInEffect(override) ? "" : ", not in effect") + ")";
    }

    private static String effect(ApiObject override) {
        boolean hasState = override.fields().containsKey("state");
        boolean hasWeight = override.fields().containsKey("weight");
        return (hasState ? override.text("state") : "")
                + (hasState && hasWeight ? ", " : "")
                + (hasWeight ? "weight " + override.text("weight") : "");
    }

    private static String[] row(String pool, String address, ApiObject override) {
        return new String[] {
            pool,
            address,
            override.text("source"),
            override.text("state"),
            isInEffect(override) ? "yes" : "no",
            override.text("weight"),
            left(override),
            override.text("reason")
        };
    }

    /**
     * Whether an override decides the state or the weight. If not, another override is stricter or takes precedence.
     */
    private static boolean isInEffect(ApiObject override) {
        return override.flag("decides_state") || override.flag("decides_weight");
    }

    private static String left(ApiObject override) {
        return DurationText.of(Duration.ofSeconds(override.number("remaining_seconds")));
    }
}
