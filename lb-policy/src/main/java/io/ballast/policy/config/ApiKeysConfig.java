package io.ballast.policy.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Authentication by API keys.
 *
 * @param keys the keys, from the configuration or from the file
 * @param keysFile the file that contains the keys; empty if the configuration contains them
 * @param source where requests carry the key
 * @param header the request header in which the backend receives the consumer; empty for none
 * @param forwardCredentials whether the backend receives the header with the key. A query parameter is always forwarded
 */
public record ApiKeysConfig(
        List<ApiKey> keys, Optional<Path> keysFile, Source source, Optional<String> header, boolean forwardCredentials)
        implements PolicyRule {

    public static final Source DEFAULT_SOURCE = new Source(Source.Place.HEADER, "X-API-Key");

    /**
     * Where requests carry the key.
     *
     * @param name the name of the header or query parameter
     */
    public record Source(Place place, String name) {

        /** A part of a request. */
        public enum Place {
            HEADER,
            QUERY
        }
    }

    public ApiKeysConfig {
        keys = List.copyOf(keys);
    }

    /** Creates a configuration with the default settings. */
    public static ApiKeysConfig of(List<ApiKey> keys) {
        return new ApiKeysConfig(
                keys, Optional.empty(), DEFAULT_SOURCE, Optional.empty(), /* forwardCredentials= */ false);
    }

    @Override
    public String kind() {
        return "api_keys";
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
