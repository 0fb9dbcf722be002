/** Generates catalog zones (<a href="https://datatracker.ietf.org/doc/html/rfc9432">RFC 9432</a>). */
@NullMarked
package io.ballast.dns.catalog;

import org.jspecify.annotations.NullMarked;
