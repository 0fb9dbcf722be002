package io.ballast.config.keys.pool;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.config.keys.common.TextFile;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.PageBody;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The keys of {@code pools.NAME.maintenance}. */
final class MaintenanceKeys {

    private static final ShapeBuilder<MaintenancePage> KEYS = Shape.named(
            "maintenance",
            "The response while an operator has put the whole pool under maintenance, or its circuit breaker is open.");

    private static final Key<Integer> STATUS = KEYS.optional(
            "status",
            Scalars.integer(MaintenancePage.MIN_STATUS, MaintenancePage.MAX_STATUS),
            MaintenancePage.DEFAULT_STATUS,
            "status of the response",
            MaintenancePage::status);
    private static final Key<String> CONTENT_TYPE = KEYS.optional(
            "content_type",
            HttpTexts.HEADER_VALUE,
            MaintenancePage.DEFAULT_CONTENT_TYPE,
            "its Content-Type",
            MaintenancePage::contentType);
    private static final Key<String> BODY = KEYS.optional(
            "body",
            Scalars.TEXT,
            "body of the response, sent as UTF-8; at most 64 KiB",
            page -> Optional.of(page.body().text()).filter(text -> page.file().isEmpty() && !text.isEmpty()));
    private static final Key<Path> FILE = KEYS.optional(
            "file",
            FileType.ofContent(),
            "file with the body, read at startup and at each reload; at most 64 KiB of UTF-8",
            MaintenancePage::file);
    private static final Key<Duration> RETRY_AFTER = KEYS.optional(
            "retry_after",
            Durations.DURATION,
            "value of Retry-After, in whole seconds; not sent by default",
            MaintenancePage::retryAfter);

    static {
        KEYS.atMostOne(BODY, FILE);
    }

    static final Type<MaintenancePage> MAINTENANCE = KEYS.build(MaintenanceKeys::build);

    private MaintenanceKeys() {}

    private static MaintenancePage build(Values values) {
        String body = values.find(FILE)
                .map(file -> TextFile.read(file, MaintenancePage.MAX_BODY_BYTES, values.node(FILE), values.reading())
                        .orElse(""))
                .or(() -> values.find(BODY))
                .orElse("");
        return new MaintenancePage(
                values.get(STATUS),
                values.get(CONTENT_TYPE),
                new PageBody(body),
                values.find(FILE),
                values.find(RETRY_AFTER));
    }
}
