package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import java.util.List;
import java.util.Set;

/**
 * A {@code listen} line.
 *
 * @param directive the line
 * @param address the address in Ballast's format
 */
record NginxListen(Directive directive, String address) {

    private static final Set<String> UNDERSTOOD = Set.of(
            "default_server", "default", "ssl", "http2", "proxy_protocol", "udp", "reuseport", "deferred", "bind");

    static NginxListen of(Directive directive) {
        String text = directive.word(1);
        if (text.matches("[0-9]+")) {
            text = "0.0.0.0:" + text;
        } else if (text.startsWith("*:")) {
            text = "0.0.0.0" + text.substring(1);
        } else if (text.startsWith("localhost:")) {
            text = "127.0.0.1" + text.substring("localhost".length());
        }
        return new NginxListen(directive, NginxValue.address(text, "80"));
    }

    boolean has(String parameter) {
        return directive.arguments().contains(parameter);
    }

    boolean isDefault() {
        return has("default_server") || has("default");
    }

    String port() {
        return address.substring(address.lastIndexOf(':') + 1);
    }

    /** Returns the arguments that have no equivalent. */
    List<String> unknown() {
        return directive.arguments().stream()
                .skip(1)
                .filter(word -> !UNDERSTOOD.contains(word))
                .toList();
    }
}
