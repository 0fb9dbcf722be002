package io.ballast.dns.forward.filter.list;

/**
 * What a server told about a version of a list, to be asked for a newer one only (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-13">RFC 9110, section 13</a>).
 *
 * @param etag empty if it told none
 * @param lastModified empty if it told none
 */
record Validators(String etag, String lastModified) {

    static final Validators NONE = new Validators("", "");
}
