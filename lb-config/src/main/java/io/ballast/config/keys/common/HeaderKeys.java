package io.ballast.config.keys.common;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code headers}, for listeners, routes and pools. */
public final class HeaderKeys {

    private static final ShapeBuilder<HeaderChanges> CHANGE_KEYS =
            Shape.named("header_changes", "Header changes for one direction; removals are applied first.");
    private static final Key<List<HeaderField>> SET = CHANGE_KEYS.optional(
            "set",
            HeaderFieldsType.FIELDS,
            "headers to set; each replaces all headers of the same name",
            omitting(List.of(), HeaderChanges::set));
    private static final Key<List<HeaderField>> ADD = CHANGE_KEYS.optional(
            "add",
            HeaderFieldsType.FIELDS,
            "headers to add; existing headers of the same name are kept",
            omitting(List.of(), HeaderChanges::add));
    private static final Key<List<String>> REMOVE = CHANGE_KEYS.optional(
            "remove",
            ListType.of(Scalars.TEXT.map(HeaderNames::changeable, name -> name))
                    .unique("header", name -> name.toLowerCase(Locale.ROOT)),
            "names of headers that are removed",
            omitting(List.of(), HeaderChanges::remove));
    private static final Shape<HeaderChanges> CHANGES = CHANGE_KEYS.build(values -> new HeaderChanges(
            values.find(SET).orElse(List.of()),
            values.find(ADD).orElse(List.of()),
            values.find(REMOVE).orElse(List.of())));

    private static final ShapeBuilder<HeaderRules> KEYS = Shape.named(
            "headers", "Header changes, applied in this order: those of the listener, the route, the pool.");
    private static final Key<HeaderChanges> REQUEST = KEYS.optional(
            "request",
            CHANGES,
            "changes to requests sent to backends",
            omitting(HeaderChanges.NONE, HeaderRules::request));
    private static final Key<HeaderChanges> RESPONSE = KEYS.optional(
            "response",
            CHANGES,
            "changes to responses sent to clients, from a backend or from Ballast itself",
            omitting(HeaderChanges.NONE, HeaderRules::response));

    public static final Type<HeaderRules> HEADERS = KEYS.build(values -> new HeaderRules(
            values.find(REQUEST).orElse(HeaderChanges.NONE),
            values.find(RESPONSE).orElse(HeaderChanges.NONE)));

    private HeaderKeys() {}

    /** Returns a getter that omits values equal to {@code silent} from the output. */
    public static <R, T> Function<R, Optional<T>> omitting(T silent, Function<R, T> getter) {
        return getter.andThen(value -> Optional.of(value).filter(given -> !given.equals(silent)));
    }

    /**
     * Returns rules that only set request headers. The importers use them to convert other balancers' files.
     */
    public static HeaderRules ofRequest(List<HeaderField> set) {
        return new HeaderRules(new HeaderChanges(set, List.of(), List.of()), HeaderChanges.NONE);
    }
}
