package io.ballast.dashboard.json;

import io.ballast.core.control.ReloadReport;
import io.ballast.dashboard.RecordedReloader.LastReload;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;

/** What became of reloads. */
public final class ReloadJson {

    /** So many errors stand in a tick, which goes out each second; the rest are counted. */
    static final int MOST_TOLD = 10;

    /** And of each so many characters. */
    static final int LONGEST_TOLD = 400;

    private static final double NANOS_PER_MILLI = 1e6;

    private ReloadJson() {}

    /** The answer to {@code POST /api/v1/reload}. */
    public static ByteBuf report(ReloadReport report) {
        return JsonWriter.write(json -> json.object(() -> fields(json, report)));
    }

    /** {@code GET /api/v1/reload}. */
    public static ByteBuf last(LastReload last) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("time", last.time().toString());
            json.field("who", last.who());
            fields(json, last.report());
        }));
    }

    /** Writes the field {@code reload_refused}: null unless the last reload was refused. */
    static void refused(JsonWriter json, Optional<LastReload> last) {
        last.filter(LastReload::isRefused)
                .ifPresentOrElse(
                        refused -> json.object("reload_refused", () -> {
                            List<String> errors = refused.report().errors();
                            json.field("time", refused.time().toString());
                            json.field("who", refused.who());
                            json.array(
                                    "errors",
                                    () -> errors.stream()
                                            .limit(MOST_TOLD)
                                            .map(ReloadJson::brief)
                                            .forEach(json::value));
                            json.field("more_errors", Math.max(0, errors.size() - MOST_TOLD));
                        }),
                        () -> json.nullField("reload_refused"));
    }

    private static void fields(JsonWriter json, ReloadReport report) {
        json.field("outcome", report.outcome().label());
        json.array("changes", () -> report.changes().forEach(json::value));
        json.array("warnings", () -> report.warnings().forEach(json::value));
        json.array("errors", () -> report.errors().forEach(json::value));
        json.field("published_ms", report.published().toNanos() / NANOS_PER_MILLI);
    }

    private static String brief(String error) {
        if (error.length() <= LONGEST_TOLD) {
            return error;
        }
        boolean splitsPair = Character.isHighSurrogate(error.charAt(LONGEST_TOLD - 1));
        return error.substring(0, splitsPair ? LONGEST_TOLD - 1 : LONGEST_TOLD) + "…";
    }
}
