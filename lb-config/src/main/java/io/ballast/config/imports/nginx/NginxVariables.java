package io.ballast.config.imports.nginx;

import java.util.regex.Pattern;

/**
 * Variables of nginx that have one value for all requests of a server on a listener.
 *
 * @param isTls whether clients connect with TLS
 * @param port the port of the listener
 * @param serverName the first name of the server; empty if it has none
 */
record NginxVariables(boolean isTls, String port, String serverName) {

    private static final Pattern BRACED = Pattern.compile("\\$\\{([a-z_]+)}");
    private static final Pattern SCHEME = Pattern.compile("\\$scheme\\b");
    private static final Pattern PORT = Pattern.compile("\\$server_port\\b");
    private static final Pattern SERVER_NAME = Pattern.compile("\\$server_name\\b");
    private static final Pattern HTTPS = Pattern.compile("\\$https\\b");

    /** Returns {@code text} with these variables replaced by their values. */
    String expand(String text) {
        String plain = BRACED.matcher(text).replaceAll("\\$$1");
        plain = SCHEME.matcher(plain).replaceAll(isTls ? "https" : "http");
        plain = HTTPS.matcher(plain).replaceAll(isTls ? "on" : "");
        plain = PORT.matcher(plain).replaceAll(port);
        return SERVER_NAME.matcher(plain).replaceAll(serverName);
    }
}
