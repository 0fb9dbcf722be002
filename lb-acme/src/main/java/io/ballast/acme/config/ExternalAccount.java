package io.ballast.acme.config;

/**
 * An external account binding (<a href="https://datatracker.ietf.org/doc/html/rfc8555#section-7.3.4">RFC 8555 section
 * 7.3.4</a>).
 *
 * @param kid the identifier of the key
 * @param hmac the key
 */
public record ExternalAccount(String kid, HmacKey hmac) {}
