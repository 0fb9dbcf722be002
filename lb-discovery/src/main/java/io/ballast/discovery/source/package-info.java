/**
 * What every source of backends implements, and what it reports.
 */
@NullMarked
package io.ballast.discovery.source;

import org.jspecify.annotations.NullMarked;
