package io.ballast.filter;

/**
 * A header line. Immutable.
 *
 * @param name the name as it was sent; compare it without case
 * @param value the value without surrounding blanks; each character is one byte (ISO 8859-1)
 */
public record FilterHeader(String name, String value) {}
