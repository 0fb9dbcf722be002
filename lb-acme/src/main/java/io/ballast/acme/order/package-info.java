/** Orders at a certificate authority. Only this package uses the library acme4j. */
@NullMarked
package io.ballast.acme.order;

import org.jspecify.annotations.NullMarked;
