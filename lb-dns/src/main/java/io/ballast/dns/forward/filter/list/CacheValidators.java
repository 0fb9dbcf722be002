package io.ballast.dns.forward.filter.list;

/**
 * The cache validators of a version of a list, for conditional requests (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-13">RFC 9110, section 13</a>).
 *
 * @param etag value of the {@code ETag} field; empty if there is none
 * @param lastModified value of the {@code Last-Modified} field; empty if there is none
 */
record CacheValidators(String etag, String lastModified) {

    static final CacheValidators NONE = new CacheValidators("", "");
}
