package io.ballast.config.keys.errorpage;

import io.ballast.config.key.ListType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.errorpage.ErrorPage;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.errorpage.ErrorStatuses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A mapping from statuses to error pages, and the key {@code intercept}, which applies the pages to the responses of
 * backends.
 */
public enum ErrorPagesType implements Type<ErrorPages> {
    ERROR_PAGES;

    private static final String INTERCEPT = "intercept";
    private static final String LABEL = "mapping from statuses to pages";
    private static final String EXPECTED = "a status from 400 to 599, 4xx, 5xx, default or " + INTERCEPT;
    private static final String STATUS_PATTERN = "[45]([0-9]{2}|xx)";

    private static final Type<ErrorStatuses> STATUSES = Scalars.matchingOrNumber(
                    "status", "a status from 400 to 599, 4xx or 5xx", STATUS_PATTERN)
            .map(ErrorStatuses::parse, ErrorStatuses::toString);
    private static final ListType<ErrorStatuses> INTERCEPTED = ListType.of(STATUSES);

    @Override
    public Optional<ErrorPages> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Mapping mapping)) {
            reading.mismatch(node, "a " + LABEL + ", such as 5xx: /etc/ballast/sorry.html");
            return Optional.empty();
        }
        Map<ErrorStatuses, ErrorPage> pages = new LinkedHashMap<>();
        Optional<List<ErrorStatuses>> intercept = Optional.empty();
        for (Map.Entry<String, Node.Entry> each : mapping.entries().entrySet()) {
            Node.Entry entry = each.getValue();
            if (each.getKey().equals(INTERCEPT)) {
                intercept = INTERCEPTED.read(entry.value(), reading);
                continue;
            }
            Optional<ErrorStatuses> statuses = statuses(each.getKey());
            if (statuses.isEmpty()) {
                reading.error(mapping, entry, "'" + each.getKey() + "' (expected: " + EXPECTED + ")");
            }
            Optional<ErrorPage> page = ErrorPageKeys.PAGE.read(entry.value(), reading);
            statuses.ifPresent(key -> page.ifPresent(value -> pages.put(key, value)));
        }
        return Optional.of(new ErrorPages(pages, intercept));
    }

    private static Optional<ErrorStatuses> statuses(String word) {
        try {
            return Optional.of(ErrorStatuses.parse(word));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public Object print(ErrorPages value) {
        Map<String, Object> printed = new LinkedHashMap<>();
        value.pages().forEach((statuses, page) -> printed.put(statuses.toString(), ErrorPageKeys.PAGE.print(page)));
        value.intercept().ifPresent(statuses -> printed.put(INTERCEPT, INTERCEPTED.print(statuses)));
        return printed;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", Map.of(INTERCEPT, INTERCEPTED.schema()));
        schema.put("patternProperties", Map.of("^(" + STATUS_PATTERN + "|default)$", ErrorPageKeys.PAGE.schema()));
        schema.put("additionalProperties", false);
        return schema;
    }

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public List<Shape<?>> shapes() {
        return ErrorPageKeys.PAGE.shapes();
    }
}
