package io.ballast.config.keys.pool;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.HealthCheck.Header;
import io.ballast.core.config.header.HeaderField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A mapping from header names to values, for the requests of health checks. */
enum CheckHeadersType implements Type<List<Header>> {
    HEADERS;

    private static final String LABEL = "mapping of header names to values";

    /** Headers that the file must not set: the check's request already has them, or they would change its framing. */
    private static final Set<String> REFUSED = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    @Override
    public Optional<List<Header>> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Mapping mapping)) {
            reading.mismatch(node, "a " + LABEL);
            return Optional.empty();
        }
        List<Header> headers = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        mapping.entries().forEach((name, entry) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            String expected = expected(lower);
            if (!expected.isEmpty()) {
                reading.error(mapping, entry, "header '" + name + "' (expected: " + expected + ")");
            } else if (!seen.add(lower)) {
                reading.error(mapping, entry, "duplicate header '" + name + "'; header names are case-insensitive");
            }
            HttpTexts.HEADER_VALUE
                    .read(entry.value(), reading)
                    .filter(value -> expected.isEmpty())
                    .ifPresent(value -> headers.add(new Header(name, value)));
        });
        return headers.size() < mapping.entries().size() ? Optional.empty() : Optional.of(headers);
    }

    /** Returns a suggestion for the error message about an invalid header name; empty if the name is valid. */
    private static String expected(String lower) {
        if (lower.equals("host")) {
            return "the key 'host' of the check, which sets this header";
        }
        if (REFUSED.contains(lower)) {
            return "a header that is not hop-by-hop and does not control message framing";
        }
        try {
            HeaderField.checkName(lower);
            return "";
        } catch (IllegalArgumentException e) {
            return "a header name such as X-Forwarded-Proto";
        }
    }

    @Override
    public Object print(List<Header> headers) {
        Map<String, Object> printed = new LinkedHashMap<>();
        headers.forEach(header -> printed.put(header.name(), HttpTexts.HEADER_VALUE.print(header.value())));
        return printed;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("additionalProperties", HttpTexts.HEADER_VALUE.schema());
        return schema;
    }

    @Override
    public String label() {
        return LABEL;
    }
}
