/** When certificates are ordered: renewal times, delays after failures, and the limit of orders. */
@NullMarked
package io.ballast.acme.schedule;

import org.jspecify.annotations.NullMarked;
