package io.ballast.config.keys.http;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.HeaderNames;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RequestIdConfig.Trust;

/** The keys of {@code listeners[].request_id}. */
final class RequestIdKeys {

    private static final ShapeBuilder<RequestIdConfig> KEYS =
            Shape.named("request_id", "The header that sends the request ID to backends.");

    private static final Key<String> HEADER = KEYS.optional(
            "header",
            Scalars.TEXT.map(HeaderNames::changeable, name -> name),
            RequestIdConfig.DEFAULT_HEADER,
            "name of the header",
            RequestIdConfig::header);
    private static final Key<Trust> TRUST = KEYS.optional(
            "trust",
            EnumWords.of(Trust.class),
            Trust.NEVER,
            "clients whose request IDs are kept, if they are tokens of at most 128 characters; all other IDs are"
                    + " replaced",
            RequestIdConfig::trust);

    static final Type<RequestIdConfig> REQUEST_ID =
            KEYS.build(values -> new RequestIdConfig(values.get(HEADER), values.get(TRUST)));

    private RequestIdKeys() {}
}
