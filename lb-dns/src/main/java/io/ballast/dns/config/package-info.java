/** The configuration records of the DNS frontend. */
@NullMarked
package io.ballast.dns.config;

import org.jspecify.annotations.NullMarked;
