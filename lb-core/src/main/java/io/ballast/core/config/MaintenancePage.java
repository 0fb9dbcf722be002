package io.ballast.core.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What requests are answered while an operator has the whole pool under maintenance.
 *
 * @param status {@value #MIN_STATUS} to {@value #MAX_STATUS}
 * @param contentType value of {@code Content-Type}
 * @param body the whole body, {@value #MAX_BODY_BYTES} octets at most
 * @param file from which the body was read; absent if it stands in the configuration itself
 * @param retryAfter when to come again, in whole seconds; absent for no {@code Retry-After}
 */
public record MaintenancePage(
        int status, String contentType, PageBody body, Optional<Path> file, Optional<Duration> retryAfter) {

    public static final int MIN_STATUS = 200;
    public static final int MAX_STATUS = 599;
    public static final int DEFAULT_STATUS = 503;
    public static final String DEFAULT_CONTENT_TYPE = "text/html; charset=utf-8";
    public static final int MAX_BODY_BYTES = 64 * 1024;

    public MaintenancePage {
        Checks.between(status, MIN_STATUS, MAX_STATUS, "status");
        int bytes = body.octets().length;
        Checks.that(bytes <= MAX_BODY_BYTES, "body", bytes + " octets", "at most " + MAX_BODY_BYTES);
    }
}
