package io.ballast.dns.secondary;

/**
 * A zone that a catalog zone names.
 *
 * @param zone its name, in lower case without the final dot
 * @param label under which it stands in the catalog; another one makes it another zone of the same name (RFC 9432 section 5.5)
 */
record Member(String zone, String label) {}
