/**
 * The interface of backend sources, and the backends that they report.
 */
@NullMarked
package io.ballast.discovery.source;

import org.jspecify.annotations.NullMarked;
