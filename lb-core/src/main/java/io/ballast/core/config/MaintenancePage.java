package io.ballast.core.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The response to requests while a pool is under maintenance.
 *
 * @param status {@value #MIN_STATUS} to {@value #MAX_STATUS}
 * @param contentType value of {@code Content-Type}
 * @param body the whole body, at most {@value #MAX_BODY_BYTES} bytes
 * @param file the file of the body; absent if the body is in the configuration
 * @param retryAfter the value of {@code Retry-After} in whole seconds; if absent, the header is not sent
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
        int bytes = body.bytes().length;
        Checks.that(bytes <= MAX_BODY_BYTES, "body", bytes + " bytes", "at most " + MAX_BODY_BYTES);
    }
}
