package io.ballast.http.testing;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import java.util.List;

/** Header rules for tests. */
public final class TestHeaderRules {

    private TestHeaderRules() {}

    /** Returns rules that set a request header. */
    public static HeaderRules request(String name, String value) {
        return new HeaderRules(set(name, value), HeaderChanges.NONE);
    }

    /** Returns rules that set a response header. */
    public static HeaderRules response(String name, String value) {
        return new HeaderRules(HeaderChanges.NONE, set(name, value));
    }

    /** Returns changes that set a header. */
    public static HeaderChanges set(String name, String value) {
        return new HeaderChanges(List.of(field(name, value)), List.of(), List.of());
    }

    /** Returns changes that add a header. */
    public static HeaderChanges add(String name, String value) {
        return new HeaderChanges(List.of(), List.of(field(name, value)), List.of());
    }

    /** Returns changes that remove headers. */
    public static HeaderChanges remove(String... names) {
        return new HeaderChanges(List.of(), List.of(), List.of(names));
    }

    private static HeaderField field(String name, String value) {
        return new HeaderField(name, HeaderValue.parse(value));
    }
}
