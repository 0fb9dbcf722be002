package io.ballast.dns.forward.filter.list;

import io.ballast.core.Checks;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** The source of a list. */
public sealed interface ListLocation {

    /** A file, checked every ten seconds; may be compressed with gzip. */
    record InFile(Path file) implements ListLocation {}

    /** A list at an HTTP or HTTPS URL. */
    record AtUrl(URI url) implements ListLocation {

        public AtUrl {
            String scheme = String.valueOf(url.getScheme());
            Checks.that(
                    (scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https")) && url.getHost() != null,
                    "url",
                    url,
                    "an http:// or https:// URL with a host");
        }
    }

    /** A list of rules in the configuration itself. */
    record Inline(List<String> lines) implements ListLocation {

        public Inline {
            lines = List.copyOf(lines);
        }
    }
}
