package io.ballast.core.config.errorpage;

import io.ballast.core.Checks;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The error page for some statuses, in one or more formats.
 *
 * @param files the page in each format, at least one
 * @param status the status that is sent instead of the original one; absent to keep it. 200 to 203, or 400
 *     to 599
 */
public record ErrorPage(Map<PageFormat, PageFile> files, Optional<Integer> status) {

    public ErrorPage {
        Checks.that(!files.isEmpty(), "files", files, "at least one");
        files = Collections.unmodifiableMap(new EnumMap<>(files));
        status.ifPresent(ErrorPage::check);
    }

    private static void check(int status) {
        boolean success = status >= 200 && status <= 203;
        boolean error = status >= ErrorStatuses.MIN && status <= ErrorStatuses.MAX;
        Checks.that(success || error, "status", status, "200..203 or 400..599");
    }
}
