package io.ballast.dashboard.document;

import io.ballast.core.control.ReloadReport;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.RecordingReloader.LastReload;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;

/** Writes the results of reloads. */
public final class ReloadJson {

    /**
     * Maximum number of errors in the update that is sent to the pages every second; further errors are only
     * counted.
     */
    static final int MAX_ERRORS = 10;

    /**
     * Maximum length, in characters, of an error message in the update that is sent to the pages every second.
     */
    static final int MAX_ERROR_CHARS = 400;

    private static final double NANOS_PER_MILLI = 1e6;

    private ReloadJson() {}

    /** Returns the response to {@code POST /api/v1/reload}. */
    public static ByteBuf report(ReloadReport report) {
        return JsonWriter.write(json -> json.object(() -> fields(json, report)));
    }

    /** Returns the response to {@code GET /api/v1/reload}. */
    public static ByteBuf lastReload(LastReload last) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("time", last.time().toString());
            json.field("who", last.who());
            fields(json, last.report());
        }));
    }

    /** Writes the field {@code reload_refused}: null unless the last reload was refused. */
    static void reloadRefused(JsonWriter json, Optional<LastReload> last) {
        last.filter(LastReload::isRefused)
                .ifPresentOrElse(
                        refused -> json.object("reload_refused", () -> {
                            List<String> errors = refused.report().errors();
                            json.field("time", refused.time().toString());
                            json.field("who", refused.who());
                            json.array(
                                    "errors",
                                    () -> errors.stream()
                                            .limit(MAX_ERRORS)
                                            .map(ReloadJson::shorten)
                                            .forEach(json::value));
                            json.field("more_errors", Math.max(0, errors.size() - MAX_ERRORS));
                        }),
                        () -> json.nullField("reload_refused"));
    }

    private static void fields(JsonWriter json, ReloadReport report) {
        json.field("outcome", report.outcome().label());
        json.array("changes", () -> report.changes().forEach(json::value));
        json.array("warnings", () -> report.warnings().forEach(json::value));
        json.array("errors", () -> report.errors().forEach(json::value));
        json.field("published_ms", report.activationDuration().toNanos() / NANOS_PER_MILLI);
    }

    private static String shorten(String error) {
        if (error.length() <= MAX_ERROR_CHARS) {
            return error;
        }
        boolean splitsPair = Character.isHighSurrogate(error.charAt(MAX_ERROR_CHARS - 1));
        return error.substring(0, splitsPair ? MAX_ERROR_CHARS - 1 : MAX_ERROR_CHARS) + "…";
    }
}
