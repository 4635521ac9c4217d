export const TEMPLATE_DATABASE = 'berth_template';
