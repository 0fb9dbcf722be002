/** Name servers of other houses, which tests run as processes of their own where they are installed. */
@NullMarked
package io.ballast.dns.testing.partner;

import org.jspecify.annotations.NullMarked;
