package regular

// atOnce has no meaning here.
const atOnce = 0
